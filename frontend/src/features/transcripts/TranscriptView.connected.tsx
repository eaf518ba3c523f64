import type { Transcript } from '@earmark/contracts/transcripts'
import { useRef } from 'react'
import { useNavigate } from 'react-router-dom'
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
  const { state, controls } = useAudio(transcript.audio_url)
  const peaks = useWaveform(transcript.audio_url, transcript.duration_seconds)

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
