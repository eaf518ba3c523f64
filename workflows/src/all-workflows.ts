/** What the worker loads: each workflow under the name by which it is started. */
export { confirmPayment } from './confirm-payment.workflow.ts'
export { summariseTranscript } from './summarise-transcript.workflow.ts'
export { transcribeEpisode } from './transcribe-episode.workflow.ts'
