import type { DownloadProgress } from '@earmark/speech/download'

const everyMilliseconds = 3000

/** Says how far a download is, every few seconds. */
export const progressLine = (what: string, say: (line: string) => void) => {
  let saidAt = Date.now()
  return ({ receivedBytes, totalBytes }: DownloadProgress) => {
    if (Date.now() - saidAt < everyMilliseconds && receivedBytes !== totalBytes) return
    saidAt = Date.now()
    const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(0)
    say(
      `  ${what}: ${megabytes(receivedBytes)}${totalBytes === undefined ? '' : ` of ${megabytes(totalBytes)}`} MB`,
    )
  }
}
