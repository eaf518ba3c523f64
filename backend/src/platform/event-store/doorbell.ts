/** Says that there may be something new, not what: whoever waits looks from where it is. */
export class Doorbell {
  readonly #waiting = new Set<() => void>()

  ring() {
    for (const wake of this.#waiting) wake()
  }

  /** Resolves at the next ring, after `timeoutMs` or when `signal` says that nobody waits any more. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, timeoutMs)
      signal.addEventListener('abort', wake)
      this.#waiting.add(wake)
      if (signal.aborted) wake()
    })
  }
}
