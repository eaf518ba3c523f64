import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

// Short, so that a machine without internet falls back in seconds.
const connectTimeoutMilliseconds = 5000
const stallTimeoutMilliseconds = 30_000

export type DownloadProgress = { receivedBytes: number; totalBytes: number | undefined }

export type Download = {
  url: string
  /** In hex, as published. */
  sha256: string
  /** Where the file is to be; it appears there whole and verified, or not at all. */
  target: string
  onProgress?: ((progress: DownloadProgress) => void) | undefined
}

/**
 * Fetches a file once, going on where an earlier try was cut off. Several processes may do so at a time.
 * Answers the target; throws an Error that says why it could not.
 */
export const fetchVerified = async ({ url, sha256, target, onProgress }: Download): Promise<string> => {
  await mkdir(path.dirname(target), { recursive: true })
  const part = await claimPart(target)
  try {
    await download(url, part, (receivedBytes, totalBytes) => onProgress?.({ receivedBytes, totalBytes }))
    if ((await sha256Of(part)) !== sha256) {
      await rm(part)
      throw new Error('what arrived does not have the published checksum')
    }
    await rename(part, target)
    return target
  } catch (error) {
    await rename(part, `${target}.part`).catch(() => undefined)
    throw error
  }
}

/**
 * A name to download to that no other process writes to. What an earlier try has left is taken over by renaming
 * it, which only one process can do, so that a download goes on where it was cut off.
 */
const claimPart = async (target: string): Promise<string> => {
  const own = `${target}.${process.pid}.part`
  const folder = path.dirname(target)
  for (const file of await readdir(folder)) {
    if (!file.startsWith(`${path.basename(target)}.`) || !file.endsWith('.part')) continue
    const owner = Number(/\.(\d+)\.part$/.exec(file)?.[1] ?? 0)
    if (owner !== 0 && owner !== process.pid && isAlive(owner)) continue
    const taken = await rename(path.join(folder, file), own).then(
      () => true,
      () => false,
    )
    if (taken) break
  }
  return own
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const download = async (
  url: string,
  file: string,
  onProgress: (receivedBytes: number, totalBytes: number | undefined) => void,
) => {
  const have = await stat(file).then(
    ({ size }) => size,
    () => 0,
  )
  const stalled = new AbortController()
  let timer = setTimeout(() => stalled.abort(new Error('no answer in time')), connectTimeoutMilliseconds)
  try {
    const headers = have > 0 ? { range: `bytes=${have}-` } : {}
    const response = await fetch(url, { headers, signal: stalled.signal })
    // 416: everything is there already, and the checksum will tell.
    if (response.status === 416) return
    if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`)

    const isResumed = response.status === 206
    let receivedBytes = isResumed ? have : 0
    const length = Number(response.headers.get('content-length') ?? NaN)
    const totalBytes = Number.isNaN(length) ? undefined : receivedBytes + length
    const count = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        clearTimeout(timer)
        timer = setTimeout(() => stalled.abort(new Error('the download stalled')), stallTimeoutMilliseconds)
        receivedBytes += chunk.length
        onProgress(receivedBytes, totalBytes)
        yield chunk
      }
    }
    const body = Readable.fromWeb(response.body)
    await pipeline(body, count, createWriteStream(file, { flags: isResumed ? 'a' : 'w' }))
  } finally {
    clearTimeout(timer)
  }
}

const sha256Of = async (file: string) => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
