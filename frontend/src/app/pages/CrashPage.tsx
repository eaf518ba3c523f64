import { Button } from '@mantine/core'
import { isRouteErrorResponse, useRouteError } from 'react-router-dom'
import { Page, PageTitle } from '../../ui/Page.tsx'

/** The last resort: a screen that could not be drawn, or whose code could not be fetched. */
export function CrashPage() {
  const error = useRouteError()
  const status = isRouteErrorResponse(error) ? ` (${error.status})` : ''
  return (
    <Page title="Something went wrong">
      <PageTitle>This screen could not be shown</PageTitle>
      <p>{`Nothing was charged by this${status}. Loading the page again often helps.`}</p>
      <Button mt="sm" onClick={() => window.location.reload()}>
        Load again
      </Button>
    </Page>
  )
}
