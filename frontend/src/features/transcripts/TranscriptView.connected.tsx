import type { Transcript } from '@earmark/contracts/transcripts'
import { useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { AiOutputsConnected } from '../summaries/AiOutputs.connected.tsx'
import { createQuoteFinder, marksOf } from '../summaries/quotes.ts'
import { quotesOf } from '../summaries/summary-content.ts'
import { useSummaries } from '../summaries/use-summaries.ts'
import { Player } from './Player.tsx'
import { retryLink } from './retry-link.ts'
import { TranscriptHeader } from './TranscriptHeader.tsx'
import { TranscriptFailed, TranscriptWaiting } from './TranscriptProgress.tsx'
import { TranscriptReader } from './TranscriptReader.tsx'
import { useAudio } from './use-audio.ts'
import { usePlayerKeys } from './use-player-keys.ts'
import { isRunning } from './use-transcript.ts'
import { useWaveform } from './use-waveform.ts'

export function TranscriptView({ transcript }: { transcript: Transcript }) {
  const navigate = useNavigate()
  return (
    <>
      <TranscriptHeader transcript={transcript} />
      {isRunning(transcript.status) ? (
        <TranscriptWaiting transcript={transcript} />
      ) : transcript.status === 'failed' ? (
        <TranscriptFailed
          message={transcript.error_message}
          onRetry={() => {
            const { to, state } = retryLink(transcript)
            void navigate(to, { state })
          }}
        />
      ) : (
        <PlayedTranscript transcript={transcript} />
      )}
    </>
  )
}

/** The words and the audio that they were said in, moving together. */
function PlayedTranscript({ transcript }: { transcript: Transcript }) {
  const searchField = useRef<HTMLInputElement>(null)
  const [shown, setShown] = useState<{ seconds: number } | null>(null)
  const { state, controls } = useAudio(transcript.audio_url)
  const peaks = useWaveform(transcript.audio_url, transcript.duration_seconds)

  const outputs = useSummaries(transcript.id)
  const findQuote = useMemo(() => createQuoteFinder(transcript.segments), [transcript.segments])
  const known = outputs.state === 'known' ? outputs.outputs : null
  const quotes = useMemo(
    () =>
      marksOf(
        (known ?? [])
          .flatMap(({ content }) => (content === null ? [] : quotesOf(content)))
          .flatMap((quote) => findQuote(quote) ?? []),
      ),
    [known, findQuote],
  )
  const hasText = (transcript.text ?? '').trim() !== ''

  usePlayerKeys((command) => {
    switch (command.do) {
      case 'toggle':
        controls.toggle()
        break
      case 'skip':
        controls.skip(command.seconds)
        break
      case 'search':
        searchField.current?.focus()
    }
  })

  return (
    <>
      <TranscriptReader
        transcript={transcript}
        currentSeconds={state.currentSeconds}
        isPlaying={state.isPlaying}
        onPlayFrom={controls.playFrom}
        searchField={searchField}
        quotes={quotes}
        shown={shown}
        aiOutputs={
          hasText && (
            <AiOutputsConnected
              transcript={transcript}
              outputs={outputs}
              findQuote={findQuote}
              onPlayFrom={(seconds) => {
                setShown({ seconds })
                controls.playFrom(seconds)
              }}
            />
          )
        }
      />
      <Player
        state={state}
        controls={controls}
        knownDurationSeconds={transcript.duration_seconds}
        peaks={peaks}
      />
    </>
  )
}
