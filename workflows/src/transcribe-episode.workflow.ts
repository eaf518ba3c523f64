import {
  allHandlersFinished,
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
  taskQueues,
  type TranscribeBounds,
  type TranscribeInput,
  type TranscribeProgress,
  type TranscribeResult,
} from '@earmark/contracts/workflows'
import type { Job, RecognitionActivities, TranscriptActivities } from './activities.ts'
import { explain, lasting, ownRetry, together, vendorRetry } from './steps.ts'

const charged = defineUpdate<ChargedAnswer>(chargedUpdate)
const progress = defineQuery<TranscribeProgress>(progressQuery)

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

const { failTranscription, discardAudio } = proxyActivities<TranscriptActivities>(lasting)

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
      const ended = await failTranscription({ ...job, message: explain(error, 'transcription') })
      at.stage = 'ended'
      // Whoever still waits for the charge hears that there is none.
      answer ??= { outcome: 'withdrawn' }
      await discardAudio(job)
      await condition(allHandlersFinished)
      return ended
    })
  }
}

function vendorActivities(bounds: TranscribeBounds) {
  const retry = vendorRetry(bounds)
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
