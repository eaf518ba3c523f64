import { Loader } from '@mantine/core'
import classes from './LoadingScreen.module.css'

/** While the session or a screen's code is still to come. */
export function LoadingScreen() {
  return (
    <div className={classes.screen} role="status" aria-label="Loading">
      <Loader color="var(--em-pine)" />
    </div>
  )
}
