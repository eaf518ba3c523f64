import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { useSession } from '../../features/identity/session.ts'
import { HowCreditsWork } from '../../features/payments/HowCreditsWork.tsx'
import { PackageGrid } from '../../features/payments/PackageGrid.tsx'
import { usePackages } from '../../features/payments/use-packages.ts'
import { Page, PageLead, PageTitle } from '../../ui/Page.tsx'
import classes from './payment-pages.module.css'

export function PricingPage() {
  const packages = usePackages()
  return (
    <Page title="Pricing">
      <PageTitle>Pricing</PageTitle>
      <PageLead>Pay as you go. No subscription, and credits never expire.</PageLead>
      <div className={classes.content}>
        <PackageGrid packages={packages} />
      </div>
      <Actions />
      <HowCreditsWork />
    </Page>
  )
}

function Actions() {
  const session = useSession()
  if (session.state === 'resolving') return null
  return (
    <div className={classes.actions}>
      {session.state === 'signed_in' ? (
        <Button component={Link} to="/payment">
          Buy Credits
        </Button>
      ) : (
        <>
          <Button component={Link} to="/signup">
            Create Account
          </Button>
          <Button component={Link} to="/login" variant="default">
            Sign In
          </Button>
        </>
      )}
    </div>
  )
}
