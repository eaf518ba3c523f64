import type { SummaryType } from '@earmark/contracts/summary-content'
import { summaryNames } from '@earmark/contracts/summary-names'
import type { Transcript } from '@earmark/contracts/transcripts'
import { useState } from 'react'
import { CostDialog } from '../credits/CostDialog.tsx'
import type { Shortfall } from '../credits/insufficient-credits.ts'
import { InsufficientCreditsDialog } from '../credits/InsufficientCreditsDialog.tsx'
import { useBalance } from '../credits/use-balance.ts'
import { useSummaryEstimate } from '../credits/use-estimate.ts'
import { AiOutputs, type OutputsState } from './AiOutputs.tsx'
import type { QuoteLinks } from './Quote.tsx'
import { summaryRefusal } from './summary-refusal.ts'
import { useCheckAgain, useCreateSummary } from './use-summaries.ts'

type AiOutputsConnectedProps = QuoteLinks & { transcript: Transcript; outputs: OutputsState }

/** A type is chosen, its price confirmed, its summary created; a refusal says why and what is missing. */
export function AiOutputsConnected({ transcript, outputs, ...links }: AiOutputsConnectedProps) {
  const [chosen, setChosen] = useState<SummaryType>('smart_summary')
  const [isAsking, setIsAsking] = useState(false)
  const [shortfall, setShortfall] = useState<Shortfall | null>(null)
  const [problem, setProblem] = useState<{ type: SummaryType; message: string } | null>(null)
  const { credits, owedCredits, isError: isBalanceLost, refetch: askBalance } = useBalance()
  const estimate = useSummaryEstimate(chosen, transcript.word_count, isAsking)
  const create = useCreateSummary()
  const checkAgain = useCheckAgain()

  const isCompleted = (type: SummaryType) =>
    outputs.state === 'known' &&
    outputs.outputs.some(({ summary }) => summary.summary_type === type && summary.status === 'completed')

  const generate = () => {
    if (isCompleted(chosen)) {
      setIsAsking(false)
      return
    }
    create.mutate(
      { transcript_id: transcript.id, summary_type: chosen },
      {
        onError: (error) => {
          const refusal = summaryRefusal(error, credits)
          if (refusal.kind === 'shortfall') setShortfall(refusal.shortfall)
          else setProblem({ type: chosen, message: refusal.message })
        },
        onSettled: () => setIsAsking(false),
      },
    )
  }

  return (
    <>
      <AiOutputs
        outputs={outputs}
        problem={problem}
        onGenerate={(type) => {
          setProblem(null)
          setChosen(type)
          setIsAsking(true)
        }}
        onCheckAgain={checkAgain}
        {...links}
      />
      <CostDialog
        isOpen={isAsking}
        operation={{ type: 'summary', name: summaryNames[chosen], wordCount: transcript.word_count }}
        episodeTitle={transcript.episode_title ?? 'Untitled Episode'}
        estimate={estimate}
        balanceCredits={credits}
        owedCredits={owedCredits}
        onRetryBalance={isBalanceLost ? () => void askBalance() : null}
        isStarting={create.isPending}
        onConfirm={generate}
        onCancel={() => setIsAsking(false)}
      />
      <InsufficientCreditsDialog
        operation="summary"
        shortfall={shortfall}
        owedCredits={owedCredits}
        onClose={() => setShortfall(null)}
      />
    </>
  )
}
