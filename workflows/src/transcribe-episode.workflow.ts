import {
  ActivityFailure,
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
  TimeoutFailure,
} from '@temporalio/workflow'
import {
  type ChargedAnswer,
  chargedUpdate,
  progressQuery,
  taskQueues,
  type TranscribeBounds,
  type TranscribeInput,
  type TranscribeProgress,
  type TranscribeResult,
} from '@earmark/contracts/workflows'
import {
  explainedFailure,
  type Job,
  type RecognitionActivities,
  type TranscriptActivities,
} from './activities.ts'

const charged = defineUpdate<ChargedAnswer>(chargedUpdate)
const progress = defineQuery<TranscribeProgress>(progressQuery)

/** Steps on our own database and disk: an outage of minutes is waited out. */
const ownRetry = {
  initialInterval: '500 milliseconds',
  maximumInterval: '30 seconds',
  maximumAttempts: 100,
} as const

const { chargeTranscription, settleTranscription } = proxyActivities<TranscriptActivities>({
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '1 hour',
  retry: ownRetry,
})

/** These read and write all of the audio or the text; a worker that dies in one is noticed by its heartbeat. */
const { splitAudio, saveTranscript } = proxyActivities<TranscriptActivities>({
  startToCloseTimeout: '20 minutes',
  scheduleToCloseTimeout: '2 hours',
  heartbeatTimeout: '15 seconds',
  retry: ownRetry,
})

/** What must not be given up while there is any hope: money goes back, and nothing is left lying about. */
const { failTranscription, discardAudio } = proxyActivities<TranscriptActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '30 days',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '1 minute', maximumAttempts: 50_000 },
})

const { reportProgress } = proxyActivities<TranscriptActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { maximumAttempts: 1 },
})

/**
 * Transcribes one episode: charge, fetch, settle for the real length, split, recognise, save.
 * Whatever ends it before the transcript is saved gives back exactly what was taken.
 */
export async function transcribeEpisode(input: TranscribeInput): Promise<TranscribeResult> {
  let answer: ChargedAnswer | undefined
  const at: TranscribeProgress = { stage: 'charging', chunksDone: 0, chunks: 0 }
  setHandler(progress, () => at)
  setHandler(charged, async () => {
    await condition(() => answer !== undefined)
    // The condition above has just said so.
    return answer as ChargedAnswer
  })
  const { transcriptId, userId, requestId, episodeTitle, claimedDurationSeconds } = input
  const job: Job = { transcriptId, userId, requestId }
  const { fetchAudio, recogniseChunk } = vendorActivities(input.bounds)

  const show = async (changes: Partial<TranscribeProgress>) => {
    Object.assign(at, changes)
    await reportProgress({ ...job, progress: { ...at } }).catch((error: unknown) => {
      if (isCancellation(error)) throw error
      log.warn('progress not shown', { transcriptId })
    })
  }

  try {
    answer = await chargeTranscription({ ...job, episodeTitle, claimedDurationSeconds })
    if (answer.outcome === 'insufficient_credits' || answer.outcome === 'withdrawn') {
      await condition(allHandlersFinished)
      return { outcome: 'refused' }
    }

    await show({ stage: 'downloading' })
    const { durationSeconds } = await fetchAudio({ ...job, audioUrl: input.audioUrl })

    const { chargedMicrocredits } = await settleTranscription({
      ...job,
      episodeTitle,
      claimedDurationSeconds,
      durationSeconds,
    })

    await show({ stage: 'splitting' })
    const { chunks } = await splitAudio({ ...job, chunkSeconds: input.bounds.chunkSeconds })

    await show({ stage: 'transcribing', chunks })
    const recognise = async (index: number) => {
      await recogniseChunk({ ...job, index })
      await show({ chunksDone: at.chunksDone + 1 })
    }
    await together(Array.from({ length: chunks }, (_, index) => () => recognise(index)))

    await show({ stage: 'saving' })
    const { wordCount } = await saveTranscript({ ...job, chunks })
    at.stage = 'ended'
    await CancellationScope.nonCancellable(() => discardAudio(job))
    return { outcome: 'completed', wordCount, durationSeconds, chargedMicrocredits }
  } catch (error) {
    return await CancellationScope.nonCancellable(async () => {
      const ended = await failTranscription({ ...job, message: explain(error) })
      at.stage = 'ended'
      // Whoever still waits for the charge hears that there is none.
      answer ??= { outcome: 'withdrawn' }
      await discardAudio(job)
      await condition(allHandlersFinished)
      return ended
    })
  }
}

/** Runs all at once; when one fails the others are cancelled, for their work would be for nothing. */
async function together(steps: (() => Promise<void>)[]): Promise<void> {
  const scope = new CancellationScope()
  let running: Promise<void>[] = []
  try {
    await scope.run(() => {
      running = steps.map((step) => step())
      return Promise.all(running)
    })
  } catch (error) {
    scope.cancel()
    // Until they have heard of it they may still write.
    await CancellationScope.nonCancellable(() => Promise.allSettled(running))
    throw error
  }
}

/** Calls to somebody else's server: a few tries, then the user has their credits back rather than a job that waits. */
function vendorActivities(bounds: TranscribeBounds) {
  const retry = {
    initialInterval: `${bounds.vendorRetrySeconds} seconds`,
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    maximumAttempts: bounds.vendorAttempts,
  } as const
  const { fetchAudio } = proxyActivities<TranscriptActivities>({
    startToCloseTimeout: `${bounds.downloadSeconds + 60} seconds`,
    heartbeatTimeout: '15 seconds',
    retry,
  })
  const { recogniseChunk } = proxyActivities<RecognitionActivities>({
    taskQueue: taskQueues.recognition,
    // No limit on waiting in the queue: a healthy job is not given up because others were first.
    startToCloseTimeout: `${bounds.recognitionSeconds + 30} seconds`,
    heartbeatTimeout: '15 seconds',
    retry,
  })
  return { fetchAudio, recogniseChunk }
}

function explain(error: unknown): string {
  if (isCancellation(error)) return 'This transcription was cancelled.'
  const cause = error instanceof ActivityFailure ? error.cause : error
  if (cause instanceof ApplicationFailure && cause.type === explainedFailure) return cause.message
  if (cause instanceof TimeoutFailure) return 'A step took too long and was given up.'
  return 'Something went wrong on our side.'
}
