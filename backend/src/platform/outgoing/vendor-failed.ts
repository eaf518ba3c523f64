import { APIConnectionError, APIError, APIUserAbortError } from 'openai'

/** Why a vendor did not do what it was asked; the message is for the user. */
export class VendorFailed extends Error {
  override readonly name = 'VendorFailed'
  constructor(
    message: string,
    readonly temporary: boolean,
    /** What the vendor asked to wait before the next try. */
    readonly retryAfterSeconds?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** What a call by the `openai` client threw, in words. `service` and `refused` complete the sentences. */
export function openAiFailure(error: unknown, words: { service: string; refused: string }): unknown {
  if (error instanceof APIUserAbortError) return error
  const failed = (message: string, temporary: boolean, retryAfterSeconds?: number) =>
    new VendorFailed(message, temporary, retryAfterSeconds, { cause: error })
  if (error instanceof APIConnectionError || !(error instanceof APIError))
    return failed(`The ${words.service} cannot be reached.`, true)
  const status = error.status as number | undefined
  if (status === 401 || status === 403) return failed(`The ${words.service} does not accept our key.`, false)
  if (status === 429 || status === undefined || status >= 500) {
    const header = Number((error.headers as Headers | undefined)?.get('retry-after'))
    const retryAfter = Number.isFinite(header) && header > 0 ? Math.min(header, 60) : undefined
    return failed(`The ${words.service} is overloaded or down.`, true, retryAfter)
  }
  return failed(`The ${words.service} ${words.refused}.`, false)
}
