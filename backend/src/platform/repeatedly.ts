import { setTimeout as sleep } from 'node:timers/promises'

export type Repetition = {
  /** Resolves when the round that is under way has ended; it hears of it by its signal. */
  stop: () => Promise<void>
}

/** Does something again and again, a pause after each round: one that takes long delays the next, and never meets it. */
export function repeatedly(
  pauseMs: number,
  round: (stopping: AbortSignal) => Promise<void>,
  onFailure: (error: unknown) => void,
): Repetition {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    for (;;) {
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      await round(signal).catch(onFailure)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
