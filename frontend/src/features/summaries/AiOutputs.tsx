import type { Summary } from '@earmark/contracts/summaries'
import type { SummaryType } from '@earmark/contracts/summary-content'
import { summaryNames, summaryTypes } from '@earmark/contracts/summary-names'
import { Button, Skeleton } from '@mantine/core'
import { Notice } from '../../ui/Notice.tsx'
import classes from './AiOutputs.module.css'
import type { QuoteLinks } from './Quote.tsx'
import { overviewOf, type SummaryContent } from './summary-content.ts'
import { summaryDescriptions } from './summary-descriptions.ts'
import { SummaryCard } from './SummaryCard.tsx'
import { SummaryView } from './SummaryView.tsx'

/** A summary with what it says, once it is completed. */
export type Output = { summary: Summary; content: SummaryContent | null; isLost: boolean }

export type OutputsState =
  { state: 'loading' } | { state: 'failed'; onRetry: () => void } | { state: 'known'; outputs: Output[] }

export type AiOutputsProps = QuoteLinks & {
  outputs: OutputsState
  /** Which could not be created, and why. */
  problem: { type: SummaryType; message: string } | null
  onGenerate: (summaryType: SummaryType) => void
  onCheckAgain: (summaryId: string) => void
}

export function AiOutputs({ outputs, ...rest }: AiOutputsProps) {
  return (
    <section aria-labelledby="ai-outputs">
      <h2 id="ai-outputs" className={classes.title}>
        AI Outputs
      </h2>
      {outputs.state === 'loading' ? (
        <div role="status" aria-label="Loading the summaries" className={classes.cards}>
          {summaryTypes.map((type) => (
            <Skeleton key={type} height={132} radius="lg" />
          ))}
        </div>
      ) : outputs.state === 'failed' ? (
        <Notice
          kind="problem"
          action={
            <Button variant="default" h={36} onClick={outputs.onRetry}>
              Try Again
            </Button>
          }
        >
          The summaries could not be loaded. Nothing was charged.
        </Notice>
      ) : (
        <Outputs outputs={outputs.outputs} {...rest} />
      )}
    </section>
  )
}

type KnownProps = Omit<AiOutputsProps, 'outputs'> & { outputs: Output[] }

function Outputs({ outputs, problem, onGenerate, onCheckAgain, findQuote, onPlayFrom }: KnownProps) {
  return (
    <>
      <ul className={classes.cards}>
        {summaryTypes.map((type) => {
          const output = outputs.find(({ summary }) => summary.summary_type === type)
          return (
            <SummaryCard
              key={type}
              name={summaryNames[type]}
              description={summaryDescriptions[type]}
              summary={output?.summary ?? null}
              overview={output?.content ? overviewOf(output.content) : null}
              problem={problem?.type === type ? problem.message : null}
              isLost={output?.isLost ?? false}
              onGenerate={() => onGenerate(type)}
              onCheckAgain={() => output && onCheckAgain(output.summary.id)}
            />
          )
        })}
      </ul>
      <div className={classes.summaries}>
        {outputs.map(
          ({ summary, content }) =>
            content !== null && (
              <SummaryView
                key={summary.id}
                name={summaryNames[summary.summary_type]}
                summary={content}
                findQuote={findQuote}
                onPlayFrom={onPlayFrom}
              />
            ),
        )}
      </div>
    </>
  )
}
