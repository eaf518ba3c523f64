import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { Page, PageTitle } from '../../ui/Page.tsx'

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <PageTitle>This page does not exist</PageTitle>
      <p>The address may be mistyped, or the page was moved.</p>
      <Button component={Link} to="/" mt="sm">
        Go to the start
      </Button>
    </Page>
  )
}
