import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { Wordmark } from '../../ui/Wordmark.tsx'
import { hourPriceInDollars, summaryPriceInDollars } from '../credits/prices.ts'
import classes from './PricingTeaser.module.css'

export function PricingTeaser() {
  return (
    <section className={classes.teaser} aria-labelledby="pricing">
      <div>
        <h2 id="pricing" className={classes.title}>
          Pay for what you read
        </h2>
        <p className={classes.words}>No subscription. Credits never expire.</p>
        <Button component={Link} to="/pricing" variant="default" mt="lg">
          See Pricing
        </Button>
      </div>
      <dl className={classes.prices}>
        <div>
          <dt>An hour of audio</dt>
          <dd className={classes.price}>{hourPriceInDollars}</dd>
          <dd className={classes.rule}>Each started minute is charged.</dd>
        </div>
        <div>
          <dt>An AI summary</dt>
          <dd className={classes.price}>{summaryPriceInDollars}</dd>
        </div>
      </dl>
    </section>
  )
}

export function LandingFooter() {
  return (
    <footer className={classes.footer}>
      <Wordmark />
      <nav aria-label="Footer" className={classes.links}>
        <Link to="/pricing">Pricing</Link>
        <Link to="/login">Sign In</Link>
        <Link to="/signup">Get Started</Link>
      </nav>
    </footer>
  )
}
