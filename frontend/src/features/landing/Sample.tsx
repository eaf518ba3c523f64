import { ActionIcon } from '@mantine/core'
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconSparkles } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Artwork } from '../../ui/Artwork.tsx'
import { formatTimestamp } from '../../ui/format.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { createQuoteFinder, marksOf } from '../summaries/quotes.ts'
import { Quote } from '../summaries/Quote.tsx'
import { segmentAt, splitAtRanges } from '../transcripts/segments.ts'
import type { AudioControls, AudioState } from '../transcripts/use-audio.ts'
import { Waveform } from '../transcripts/Waveform.tsx'
import classes from './Sample.module.css'
import { sample, samplePeaks, sampleSegments, sampleSummary } from './sample.ts'

const findQuote = createQuoteFinder(sampleSegments)
const quotes = sampleSummary.highlights.flatMap(({ quote }) => quote ?? [])
const places = quotes.flatMap((quote) => findQuote(quote) ?? [])
const marks = marksOf(places)
/** Shown before anything was played: the first of the quoted passages. */
const restingIndex = Math.max(0, segmentAt(sampleSegments, places[0]?.startSeconds ?? 0) - 1)

export type SampleProps = { state: AudioState; controls: AudioControls }

/** A real episode with its transcript and its summary: what the product makes of any other. */
export function Sample({ state, controls }: SampleProps) {
  const Icon = state.isPlaying ? IconPlayerPauseFilled : IconPlayerPlayFilled
  return (
    <section className={classes.card} aria-label="Sample" id="sample">
      <div className={classes.head}>
        <Artwork title={sample.podcastTitle} url="" size={48} />
        <div className={classes.what}>
          <p className={classes.title}>{sample.episodeTitle}</p>
          <p className={classes.by}>
            {sample.podcastTitle} · {formatTimestamp(sample.durationSeconds)}
          </p>
        </div>
        <ActionIcon
          variant="filled"
          size={44}
          radius={22}
          aria-label={state.isPlaying ? 'Pause the sample' : 'Play the sample'}
          onClick={controls.toggle}
        >
          <Icon size={20} aria-hidden />
        </ActionIcon>
      </div>
      <div className={classes.waveform}>
        <Waveform peaks={samplePeaks} share={state.currentSeconds / sample.durationSeconds} />
      </div>
      {state.hasFailed && <p className={classes.failed}>The sample could not be played.</p>}
      <SampleTranscript state={state} controls={controls} />
      <div className={classes.summary}>
        <StatusBadge tone="good" icon={<IconSparkles size={18} stroke={1.75} aria-hidden />}>
          Smart Summary
        </StatusBadge>
        <p className={classes.overview}>{sampleSummary.one_sentence_overview}</p>
        <ul className={classes.highlights}>
          {sampleSummary.highlights.map(({ point, quote }) => (
            <li key={point}>
              {point}
              {quote !== null && <Quote quote={quote} findQuote={findQuote} onPlayFrom={controls.playFrom} />}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function SampleTranscript({ state, controls }: SampleProps) {
  const list = useRef<HTMLOListElement>(null)
  const hasBegun = state.isPlaying || state.currentSeconds > 0
  const active = hasBegun ? segmentAt(sampleSegments, state.currentSeconds) : -1
  const shown = hasBegun ? Math.max(0, active - 1) : restingIndex

  useEffect(() => {
    const row = list.current?.children[shown]
    // Within the list alone: the page stays where its reader is.
    if (row instanceof HTMLElement) list.current?.scrollTo({ top: row.offsetTop })
  }, [shown])

  return (
    <ol className={classes.segments} ref={list} tabIndex={0} aria-label="Transcript of the sample">
      {sampleSegments.map((segment, index) => (
        <li key={segment.start_seconds} aria-current={index === active} className={classes.segment}>
          <button
            type="button"
            tabIndex={-1}
            className={classes.time}
            aria-label={`Play from ${formatTimestamp(segment.start_seconds)}`}
            onClick={() => controls.playFrom(segment.start_seconds)}
          >
            {formatTimestamp(segment.start_seconds)}
          </button>
          <p>
            {splitAtRanges(segment.text, marks.get(index) ?? []).map((part) =>
              part.isHit ? <mark key={part.text}>{part.text}</mark> : part.text,
            )}
          </p>
        </li>
      ))}
    </ol>
  )
}
