import { Button } from '@mantine/core'
import { Link, useLocation } from 'react-router-dom'
import { Wordmark } from '../../ui/Wordmark.tsx'
import classes from './Header.module.css'

export function PublicHeader() {
  const { pathname } = useLocation()
  return (
    <header className={classes.header}>
      <div className={classes.inner}>
        <Link to="/" className={classes.brand ?? ''} aria-label="Earmark">
          <Wordmark />
        </Link>
        <nav aria-label="Account" className={classes.publicLinks}>
          <Button component={Link} to="/pricing" variant="subtle" h={36}>
            Pricing
          </Button>
          <Button component={Link} to="/login" variant="subtle" h={36}>
            Sign In
          </Button>
          {pathname !== '/signup' && (
            <Button component={Link} to="/signup" variant={pathname === '/' ? 'filled' : 'default'} h={36}>
              Get Started
            </Button>
          )}
        </nav>
      </div>
    </header>
  )
}
