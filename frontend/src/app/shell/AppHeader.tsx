import { Burger, Button, Popover, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconLogout } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link, NavLink } from 'react-router-dom'
import { Wordmark } from '../../ui/Wordmark.tsx'
import classes from './Header.module.css'

const navigation = [
  { label: 'Search', to: '/search' },
  { label: 'Credits', to: '/credits' },
  { label: 'Pricing', to: '/pricing' },
]

type AppHeaderProps = {
  email: string
  creditWidget: ReactNode
  colorSchemeToggle: ReactNode
  onSignOut: () => void
}

export function AppHeader({ email, creditWidget, colorSchemeToggle, onSignOut }: AppHeaderProps) {
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  return (
    <header
      className={classes.header}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setIsMenuOpen(false)
      }}
    >
      <div className={classes.inner}>
        <Link to="/search" className={classes.brand ?? ''} aria-label="Earmark, search">
          <Wordmark />
        </Link>
        <nav aria-label="Main" className={classes.wideOnly}>
          <NavigationLinks />
        </nav>
        <div className={classes.end}>
          {creditWidget}
          <div className={classes.wideOnly}>
            <UserMenu email={email} colorSchemeToggle={colorSchemeToggle} onSignOut={onSignOut} />
          </div>
          <div className={classes.narrowOnly}>
            <Burger
              size="sm"
              opened={isMenuOpen}
              aria-label={isMenuOpen ? 'Close menu' : 'Open menu'}
              aria-expanded={isMenuOpen}
              aria-controls="mobile-menu"
              onClick={() => setIsMenuOpen(!isMenuOpen)}
            />
          </div>
        </div>
      </div>
      {isMenuOpen && (
        <div id="mobile-menu" className={classes.mobileMenu}>
          <nav aria-label="Main" onClick={() => setIsMenuOpen(false)}>
            <NavigationLinks />
          </nav>
          <p className={classes.email}>{email}</p>
          {colorSchemeToggle}
          <Button variant="default" fullWidth leftSection={<SignOutIcon />} onClick={onSignOut}>
            Sign out
          </Button>
        </div>
      )}
    </header>
  )
}

function NavigationLinks() {
  return navigation.map(({ label, to }) => (
    <NavLink key={to} to={to} className={classes.link ?? ''}>
      {label}
    </NavLink>
  ))
}

function SignOutIcon() {
  return <IconLogout size={20} stroke={1.75} aria-hidden />
}

type UserMenuProps = Pick<AppHeaderProps, 'email' | 'colorSchemeToggle' | 'onSignOut'>

function UserMenu({ email, colorSchemeToggle, onSignOut }: UserMenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" width={260} trapFocus>
      <Popover.Target>
        <UnstyledButton className={classes.user} onClick={() => setIsOpen(!isOpen)}>
          <span className={classes.userEmail}>{email}</span>
          <IconChevronDown size={18} stroke={1.75} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.userMenu ?? ''}>
        {colorSchemeToggle}
        <Button
          variant="subtle"
          fullWidth
          justify="flex-start"
          leftSection={<SignOutIcon />}
          onClick={onSignOut}
        >
          Sign out
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
