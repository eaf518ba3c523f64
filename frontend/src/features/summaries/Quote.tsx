import { formatTimestamp } from '../../ui/format.ts'
import type { QuotePlace } from './quotes.ts'
import classes from './Quote.module.css'

export type QuoteLinks = {
  /** Null for words that were not said. */
  findQuote: (quote: string) => QuotePlace | null
  onPlayFrom: (seconds: number) => void
}

/** Marked only where it was really said, with its time to hear it. */
export function Quote({ quote, findQuote, onPlayFrom }: QuoteLinks & { quote: string }) {
  const place = findQuote(quote)
  if (place === null) return <blockquote className={classes.quote}>{quote}</blockquote>
  const time = formatTimestamp(place.startSeconds)
  return (
    <blockquote className={classes.quote}>
      <mark className={classes.words}>{quote}</mark>{' '}
      <button
        type="button"
        className={classes.time}
        aria-label={`Play from ${time}`}
        onClick={() => onPlayFrom(place.startSeconds)}
      >
        {time}
      </button>
    </blockquote>
  )
}
