import type { Transcript } from '@earmark/contracts/transcripts'
import type { ReactNode, Ref } from 'react'
import { formatDate } from '../../ui/format.ts'
import type { QuotedRange } from '../summaries/quotes.ts'
import { segmentAt } from './segments.ts'
import classes from './TranscriptReader.module.css'
import { TranscriptText } from './TranscriptText.tsx'

type TranscriptReaderProps = {
  transcript: Transcript
  currentSeconds: number
  isPlaying: boolean
  onPlayFrom: (seconds: number) => void
  searchField: Ref<HTMLInputElement>
  /** What the summaries quote, by the index of its segment. */
  quotes: ReadonlyMap<number, readonly QuotedRange[]>
  aiOutputs: ReactNode
  /** The moment of a quote that was asked for. */
  shown: { seconds: number } | null
}

const keys = [
  { keys: ['Space', 'K'], does: 'Play or pause' },
  { keys: ['←', '→'], does: '5 s back or on' },
  { keys: ['J', 'L'], does: '10 s back or on' },
  { keys: ['/'], does: 'Search' },
]

/** The completed transcript: its words in the middle, what there is to know about it beside them. */
export function TranscriptReader(props: TranscriptReaderProps) {
  const { transcript, currentSeconds, isPlaying } = props
  const hasBegun = isPlaying || currentSeconds > 0
  return (
    <div className={classes.columns}>
      <TranscriptText
        text={transcript.text}
        segments={transcript.segments}
        activeIndex={hasBegun ? segmentAt(transcript.segments, currentSeconds) : -1}
        quotes={props.quotes}
        onPlayFrom={props.onPlayFrom}
        searchField={props.searchField}
        shown={props.shown}
      />
      <div>
        {props.aiOutputs}
        <About transcript={transcript} />
      </div>
    </div>
  )
}

function About({ transcript }: Pick<TranscriptReaderProps, 'transcript'>) {
  return (
    <aside className={classes.aside} aria-label="About this transcript">
      <dl className={classes.facts}>
        <dt>Podcast</dt>
        <dd>{transcript.podcast_title ?? 'Unknown Podcast'}</dd>
        <dt>Created</dt>
        <dd>{formatDate(transcript.created_at)}</dd>
      </dl>
      <h2 className={classes.heading}>Keyboard</h2>
      <ul className={classes.keys}>
        {keys.map((row) => (
          <li key={row.does}>
            <span>
              {row.keys.map((key) => (
                <kbd key={key} className={classes.key}>
                  {key}
                </kbd>
              ))}
            </span>
            {row.does}
          </li>
        ))}
      </ul>
    </aside>
  )
}
