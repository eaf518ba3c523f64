import { FetchRefused } from '../../platform/outgoing/guarded-fetch.ts'
import { VendorFailed } from '../../platform/outgoing/vendor-failed.ts'
import { explained } from '../../platform/temporal/activity.ts'
import { UnreadableAudio } from './audio-file.ts'

/** Turns what our adapters throw into failures that the workflow understands; anything else is tried again as it is. */
export function toActivityFailure(error: unknown): unknown {
  if (error instanceof UnreadableAudio) return explained(error.message, { final: true })
  if (error instanceof FetchRefused)
    return explained(fetchSentence(error), { final: !error.temporary, cause: error })
  if (error instanceof VendorFailed) {
    const { message, temporary, retryAfterSeconds } = error
    return explained(message, { final: !temporary, retryAfterSeconds, cause: error.cause })
  }
  return error
}

function fetchSentence(error: FetchRefused): string {
  switch (error.reason) {
    case 'http_error':
      return error.status === 404 || error.status === 410
        ? 'The audio is no longer there: the podcast’s server does not have this file.'
        : `The podcast’s server did not give us the audio (it answered ${error.status ?? 'an error'}).`
    case 'too_large':
      return 'The audio file is larger than what can be transcribed here.'
    case 'forbidden_address':
    case 'bad_url':
    case 'too_many_redirects':
      return 'The audio’s address leads nowhere we can fetch from.'
    case 'too_slow':
      return 'The podcast’s server took too long to send the audio.'
    case 'interrupted':
      return 'The download of the audio broke off.'
    case 'unreachable':
      return 'The podcast’s server cannot be reached.'
  }
}
