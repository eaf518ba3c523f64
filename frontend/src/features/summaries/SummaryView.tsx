import type { ActionPlan, SmartSummary, ThoughtProvoking } from '@earmark/contracts/summary-content'
import { Button } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { Notice } from '../../ui/Notice.tsx'
import { Quote, type QuoteLinks } from './Quote.tsx'
import type { SummaryContent } from './summary-content.ts'
import classes from './SummaryView.module.css'

type SummaryViewProps = QuoteLinks & {
  /** Of its type, as on its card. */
  name: string
  summary: SummaryContent
}

/** A completed summary, collapsed until it is asked for (spec section 2, "Summary rendering"). */
export function SummaryView({ name, summary, ...links }: SummaryViewProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  const bodyId = useId()
  if (summary.type === 'unreadable') {
    return (
      <article className={classes.summary} aria-label={name}>
        <p className={classes.kind}>{name}</p>
        <Notice kind="problem">{summary.message}</Notice>
      </article>
    )
  }
  return (
    <article className={classes.summary} aria-label={name}>
      <div className={classes.head}>
        <div>
          <p className={classes.kind}>{name}</p>
          <h3 className={classes.title}>{summary.content.title}</h3>
        </div>
        <Button
          variant="default"
          h={36}
          px={14}
          aria-expanded={isExpanded}
          aria-controls={bodyId}
          aria-label={`${isExpanded ? 'Collapse' : 'Expand'} ${name}`}
          onClick={() => setIsExpanded(!isExpanded)}
        >
          {isExpanded ? 'Collapse' : 'Expand'}
        </Button>
      </div>
      <div id={bodyId} hidden={!isExpanded} className={classes.body}>
        {isExpanded && <Body summary={summary} {...links} />}
      </div>
    </article>
  )
}

function Body({
  summary,
  ...links
}: QuoteLinks & { summary: Exclude<SummaryContent, { type: 'unreadable' }> }) {
  switch (summary.type) {
    case 'smart_summary':
      return <SmartSummaryBody content={summary.content} {...links} />
    case 'action_plan':
      return <ActionPlanBody content={summary.content} {...links} />
    case 'thought_provoking':
      return <ThoughtProvokingBody content={summary.content} />
  }
}

function SmartSummaryBody({ content, ...links }: QuoteLinks & { content: SmartSummary }) {
  return (
    <>
      <p>{content.one_sentence_overview}</p>
      <Part title="Key Highlights">
        <ul>
          {content.highlights.map(({ point, quote }, index) => (
            <li key={index}>
              {point}
              {quote && <Quote quote={quote} {...links} />}
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Key Takeaways">
        <TextList texts={content.key_takeaways} />
      </Part>
    </>
  )
}

function ActionPlanBody({ content, ...links }: QuoteLinks & { content: ActionPlan }) {
  return (
    <>
      <Part title="Next Steps">
        <ol>
          {content.next_steps.map((step, index) => (
            <li key={index}>
              <strong>{step.action}</strong>
              <p>{step.why_it_matters}</p>
              <p>{step.details}</p>
              {step.quote && <Quote quote={step.quote} {...links} />}
              {step.mentioned_tools && step.mentioned_tools.length > 0 && (
                <p className={classes.tools}>Tools mentioned: {step.mentioned_tools.join(', ')}</p>
              )}
            </li>
          ))}
        </ol>
      </Part>
      <Part title="Overall Takeaway">
        <p>{content.overall_takeaway}</p>
      </Part>
    </>
  )
}

function ThoughtProvokingBody({ content }: { content: ThoughtProvoking }) {
  return (
    <>
      <Part title="Deep Questions">
        <TextList texts={content.deep_questions} />
      </Part>
      <Part title="Quick Reflection Prompts">
        <TextList texts={content.rapid_fire_prompts} />
      </Part>
      <Part title="Why These Questions Matter">
        <p>{content.contextual_insight}</p>
      </Part>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.part}>
      <h4 className={classes.heading}>{title}</h4>
      {children}
    </section>
  )
}

function TextList({ texts }: { texts: string[] }) {
  return (
    <ul>
      {texts.map((text, index) => (
        <li key={index}>{text}</li>
      ))}
    </ul>
  )
}
