import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { CostDialog } from '../credits/CostDialog.tsx'
import type { Shortfall } from '../credits/insufficient-credits.ts'
import { InsufficientCreditsDialog } from '../credits/InsufficientCreditsDialog.tsx'
import { useBalance } from '../credits/use-balance.ts'
import { useTranscriptionEstimate } from '../credits/use-estimate.ts'
import { episodesLink, type PassedEpisode, type PassedPodcast } from '../podcasts/podcast-state.ts'
import { ReadyToTranscribe } from './ReadyToTranscribe.tsx'
import { startRefusal } from './start-refusal.ts'
import { useCreateTranscript } from './use-create-transcript.ts'

type StartTranscriptionProps = { episode: PassedEpisode; podcast: PassedPodcast }

/** Ready, then the price, then the start; a refusal says why and what is missing. */
export function StartTranscription({ episode, podcast }: StartTranscriptionProps) {
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const [shortfall, setShortfall] = useState<Shortfall | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const { credits, owedCredits, isError: isBalanceLost, refetch: askBalance } = useBalance()
  const estimate = useTranscriptionEstimate(episode.duration_seconds, isAsking)
  const create = useCreateTranscript()

  const start = () => {
    if (episode.audio_url === null) return
    setMessage(null)
    create.mutate(
      {
        episode_id: episode.id,
        audio_url: episode.audio_url,
        episode_title: episode.title,
        podcast_title: podcast.title,
        duration_seconds: episode.duration_seconds,
      },
      {
        onSuccess: ({ id }) => {
          const { state } = episodesLink(podcast, false)
          void navigate(`/transcript/${id}`, { replace: true, state: { episode, ...state } })
        },
        onError: (error) => {
          setIsAsking(false)
          const refusal = startRefusal(error)
          if (refusal.kind === 'shortfall') setShortfall(refusal.shortfall)
          else setMessage(refusal.message)
        },
      },
    )
  }

  return (
    <>
      <ReadyToTranscribe
        episode={episode}
        isStarting={create.isPending}
        errorMessage={message}
        onBegin={() => setIsAsking(true)}
      />
      <CostDialog
        isOpen={isAsking}
        episodeTitle={episode.title}
        operation={{ type: 'transcription', durationSeconds: episode.duration_seconds }}
        estimate={estimate}
        balanceCredits={credits}
        owedCredits={owedCredits}
        onRetryBalance={isBalanceLost ? () => void askBalance() : null}
        isStarting={create.isPending}
        onConfirm={start}
        onCancel={() => setIsAsking(false)}
      />
      <InsufficientCreditsDialog
        operation="transcription"
        shortfall={shortfall}
        owedCredits={owedCredits}
        onClose={() => setShortfall(null)}
      />
    </>
  )
}
