/** A reply that has not come by then is taken for lost. Far longer than any append takes that is not stuck. */
export const replyTimeoutMs = 2500

/** The client's own time limit, which its types do not name: where a reply is lost, the server's own never ends the wait. */
export function within(timeoutMs: number): object {
  return { query_timeout: timeoutMs }
}
