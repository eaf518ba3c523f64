/** What the worker loads: each workflow under the name by which it is started. */
export { transcribeEpisode } from './transcribe-episode.workflow.ts'
