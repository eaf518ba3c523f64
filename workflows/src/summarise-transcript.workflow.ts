import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  defineQuery,
  defineUpdate,
  isCancellation,
  log,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow'
import {
  type ChargedAnswer,
  chargedUpdate,
  progressQuery,
  type SummariseBounds,
  type SummariseInput,
  type SummariseResult,
  taskQueues,
} from '@earmark/contracts/workflows'
import {
  type Answered,
  explainedFailure,
  type LanguageActivities,
  type SummariseProgress,
  type SummaryActivities,
  type SummaryJob,
} from './activities.ts'
import { explain, lasting, ownRetry, together, vendorRetry } from './steps.ts'

const charged = defineUpdate<ChargedAnswer>(chargedUpdate)
const progress = defineQuery<SummariseProgress>(progressQuery)

/** To one question, the first one included. A model that has not understood by then will not. */
const answersAtMost = 3
/** Parts of one transcript that are noted at a time: the model's slots are for everybody. */
const partsAtOnce = 3
/** What a question may take beside its answer: an outage of our own database is waited out, so that the answer is kept. */
const ownSeconds = 150

const { chargeSummary, planSummary, saveSummary } = proxyActivities<SummaryActivities>({
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '1 hour',
  retry: ownRetry,
})

const { failSummary } = proxyActivities<SummaryActivities>(lasting)

const { reportSummaryProgress } = proxyActivities<SummaryActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { maximumAttempts: 1 },
})

/**
 * Summarises one transcript: charge, read, note each part where it is too long for one question, write, check the quotes, save.
 * Whatever ends it before the summary is saved gives back exactly what was taken.
 */
export async function summariseTranscript(input: SummariseInput): Promise<SummariseResult> {
  let answer: ChargedAnswer | undefined
  const at: SummariseProgress = { stage: 'charging', partsDone: 0, parts: 0 }
  setHandler(progress, () => at)
  setHandler(charged, async () => {
    await condition(() => answer !== undefined)
    // The condition above has just said so.
    return answer as ChargedAnswer
  })
  const { summaryId, transcriptId, userId, requestId } = input
  const job: SummaryJob = { summaryId, transcriptId, userId, requestId }
  const { noteTranscriptPart, writeSummary } = modelActivities(input.bounds)

  const show = async (changes: Partial<SummariseProgress>) => {
    Object.assign(at, changes)
    await reportSummaryProgress({ ...job, progress: { ...at } }).catch((error: unknown) => {
      if (isCancellation(error)) throw error
      log.warn('progress not shown', { summaryId })
    })
  }

  try {
    answer = await chargeSummary(job)
    if (answer.outcome === 'insufficient_credits' || answer.outcome === 'withdrawn') {
      await condition(allHandlersFinished)
      return { outcome: 'refused' }
    }

    await show({ stage: 'reading' })
    const { parts } = await planSummary(job)

    if (parts > 1) {
      await show({ stage: 'noting', parts })
      const note = async (part: number) => {
        await untilUsable((complaint) => noteTranscriptPart({ ...job, part, parts, complaint }))
        await show({ partsDone: at.partsDone + 1 })
      }
      await together(
        Array.from({ length: parts }, (_, part) => () => note(part)),
        partsAtOnce,
      )
    }

    await show({ stage: 'writing', parts })
    const from = parts > 1 ? 'notes' : 'transcript'
    await untilUsable((complaint) => writeSummary({ ...job, from, complaint }))

    await show({ stage: 'checking' })
    await saveSummary(job)
    at.stage = 'ended'
    return { outcome: 'completed' }
  } catch (error) {
    return await CancellationScope.nonCancellable(async () => {
      const ended = await failSummary({ ...job, message: explain(error, 'summary') })
      at.stage = 'ended'
      // Whoever still waits for the charge hears that there is none.
      answer ??= { outcome: 'withdrawn' }
      await condition(allHandlersFinished)
      return ended
    })
  }
}

/** Asks again, with what was wrong, while the model's answer is none. */
async function untilUsable(ask: (complaint: string | null) => Promise<Answered>): Promise<void> {
  let complaint: string | null = null
  for (let answers = 0; answers < answersAtMost; answers += 1) {
    const answered = await ask(complaint)
    if (answered.usable) return
    complaint = answered.complaint
  }
  throw ApplicationFailure.nonRetryable('The language model gave no usable answer.', explainedFailure)
}

function modelActivities(bounds: SummariseBounds) {
  return proxyActivities<LanguageActivities>({
    taskQueue: taskQueues.language,
    // No limit on waiting in the queue: a healthy job is not given up because others were first.
    startToCloseTimeout: `${bounds.answerSeconds + ownSeconds} seconds`,
    heartbeatTimeout: '15 seconds',
    retry: vendorRetry(bounds),
  })
}
