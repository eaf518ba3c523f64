import classes from './Wordmark.module.css'

/** The name with its second half marked, as one marks a passage. */
export function Wordmark() {
  return (
    <span className={classes.wordmark}>
      Ear<span className={classes.marked}>mark</span>
    </span>
  )
}
