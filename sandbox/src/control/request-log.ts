import type { VendorName } from '../vendor-name.ts'

export type LoggedRequest = {
  vendor: VendorName
  method: string
  /** With its query. */
  path: string
  /** ISO 8601. */
  at: string
  /** Null while there is no answer. */
  status: number | null
  /** The client went away before it had the whole answer. */
  aborted: boolean
}

const greatestLength = 2000

/** The latest requests that the vendors got, oldest first. */
export class RequestLog {
  #requests: LoggedRequest[] = []

  get all(): readonly LoggedRequest[] {
    return this.#requests
  }

  add(vendor: VendorName, method: string, path: string): LoggedRequest {
    const entry = { vendor, method, path, at: new Date().toISOString(), status: null, aborted: false }
    this.#requests.push(entry)
    if (this.#requests.length > greatestLength) this.#requests.shift()
    return entry
  }

  clear(): void {
    this.#requests = []
  }
}
