import type { Segment } from '@earmark/contracts/transcripts'
import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { memo, type Ref, useEffect, useMemo, useRef, useState } from 'react'
import { formatCount, formatTimestamp } from '../../ui/format.ts'
import type { QuotedRange } from '../summaries/quotes.ts'
import { countHits, segmentAt, splitAtHits, splitAtRanges } from './segments.ts'
import classes from './TranscriptText.module.css'

/** Longer texts are cut off with a fade while collapsed (spec section 9). */
const fadeAboveCharacters = 500

export type TranscriptTextProps = {
  text: string | null
  segments: Segment[]
  /** The index of the spoken segment; -1 where none is. */
  activeIndex: number
  /** What the summaries quote, by the index of its segment. */
  quotes?: ReadonlyMap<number, readonly QuotedRange[]>
  onPlayFrom: (seconds: number) => void
  searchField?: Ref<HTMLInputElement>
  /** A moment to bring into view, once for each object; null where nobody asked. */
  shown?: { seconds: number } | null
}

export function TranscriptText({
  text,
  segments,
  activeIndex,
  quotes,
  onPlayFrom,
  searchField,
  shown = null,
}: TranscriptTextProps) {
  const [query, setQuery] = useState('')
  const [isExpanded, setIsExpanded] = useState(false)
  const rows = useRef<HTMLOListElement>(null)
  const broughtIntoView = useRef<typeof shown>(null)
  useEffect(() => {
    if (shown === null || shown === broughtIntoView.current) return
    // In a cut text this is a scroll, which opens it; then its place is another.
    rows.current?.children[segmentAt(segments, shown.seconds)]?.scrollIntoView({ block: 'center' })
    if (isExpanded) broughtIntoView.current = shown
  }, [shown, isExpanded, segments])
  const texts = useMemo(
    () => (segments.length > 0 ? segments.map((segment) => segment.text) : text === null ? [] : [text]),
    [segments, text],
  )
  const length = texts.reduce((total, part) => total + part.length, 0)
  if (length === 0) return <p className={classes.none}>No transcript text available</p>

  const isLong = length > fadeAboveCharacters
  const isCut = isLong && !isExpanded
  return (
    <section aria-label="Transcript">
      <TextInput
        ref={searchField}
        className={classes.search ?? ''}
        type="search"
        aria-label="Search this transcript"
        placeholder="Search this transcript"
        autoComplete="off"
        leftSection={<IconSearch size={20} stroke={1.75} aria-hidden />}
        leftSectionWidth={48}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value)
          if (event.currentTarget.value.trim() !== '') setIsExpanded(true)
        }}
      />
      <p className={classes.hits} role="status">
        {query.trim() !== '' && formatCount(countHits(texts, query), 'match', 'matches')}
      </p>
      {/* A cut text scrolls only when something in it was reached, by keyboard or by the browser's own search: show it. */}
      <div
        id="transcript-text"
        className={classes.text}
        data-cut={isCut}
        onScroll={() => setIsExpanded(true)}
      >
        {segments.length === 0 ? (
          <p className={classes.plain}>
            <Marked text={text ?? ''} query={query} quotes={undefined} />
          </p>
        ) : (
          <ol ref={rows} className={classes.segments}>
            {segments.map((segment, index) => (
              <SegmentRow
                key={segment.start_seconds}
                segment={segment}
                query={query}
                quotes={quotes?.get(index)}
                isActive={index === activeIndex}
                onPlayFrom={onPlayFrom}
              />
            ))}
          </ol>
        )}
      </div>
      {isLong && (
        <Button
          variant="default"
          mt="md"
          aria-expanded={isExpanded}
          aria-controls="transcript-text"
          onClick={() => setIsExpanded(!isExpanded)}
        >
          {isExpanded ? 'Collapse' : 'Expand'}
        </Button>
      )}
    </section>
  )
}

type SegmentRowProps = {
  segment: Segment
  query: string
  quotes: readonly QuotedRange[] | undefined
  isActive: boolean
  onPlayFrom: (seconds: number) => void
}

// Hours of talk are thousands of rows, and the player moves on four times a second: only two rows change.
const SegmentRow = memo(function SegmentRow({
  segment,
  query,
  quotes,
  isActive,
  onPlayFrom,
}: SegmentRowProps) {
  const time = formatTimestamp(segment.start_seconds)
  return (
    <li className={classes.segment} data-active={isActive} aria-current={isActive}>
      <button
        type="button"
        className={classes.time}
        aria-label={`Play from ${time}`}
        onClick={() => onPlayFrom(segment.start_seconds)}
      >
        {time}
      </button>
      <p>
        <Marked text={segment.text} query={query} quotes={quotes} />
      </p>
    </li>
  )
})

type MarkedProps = { text: string; query: string; quotes: readonly QuotedRange[] | undefined }

/** While a search is on, its hits alone are marked: else they could not be told from quotes. */
function Marked({ text, query, quotes = [] }: MarkedProps) {
  const parts = query.trim() === '' ? splitAtRanges(text, quotes) : splitAtHits(text, query)
  return parts.map((part, index) =>
    part.isHit ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
  )
}
