import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { NoSpeechModelError, publishedModels, resolveModel } from './model.ts'

const content = Buffer.alloc(300_000, 'weights')
let folder: string
let publisher: http.Server
let baseUrl: string
let ranges: (string | undefined)[]

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'earmark-models-'))
  ranges = []
  publisher = http.createServer((request, response) => {
    ranges.push(request.headers.range)
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const body = content.subarray(from)
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': body.length }).end(body)
  })
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}`
  publishedModels['for-test'] = {
    quantization: 'q5_1',
    sha256: createHash('sha256').update(content).digest('hex'),
  }
})

afterEach(async () => {
  delete publishedModels['for-test']
  publisher.close()
  publisher.closeAllConnections()
  await rm(folder, { recursive: true })
})

const ask = (more: { model?: string; modelsFolder?: string; baseUrl?: string } = {}) =>
  resolveModel({ model: 'for-test', cacheFolder: path.join(folder, 'cache'), baseUrl, ...more })

const nobodyListens = 'http://127.0.0.1:1'

it('fetches a published model once, says how far it is, and then takes it from the cache', async () => {
  const seen: number[] = []
  const model = await resolveModel({
    model: 'for-test',
    cacheFolder: folder,
    baseUrl,
    onProgress: ({ receivedBytes, totalBytes }) => seen.push(receivedBytes / (totalBytes ?? NaN)),
  })
  expect(model).toEqual({ name: 'for-test', path: path.join(folder, 'ggml-for-test-q5_1.bin') })
  expect(seen.at(-1)).toBe(1)

  expect(await resolveModel({ model: 'for-test', cacheFolder: folder, baseUrl })).toEqual(model)
  expect(ranges).toHaveLength(1)
})

it('goes on where an earlier download was cut off', async () => {
  await mkdir(path.join(folder, 'cache'))
  await writeFile(path.join(folder, 'cache', 'ggml-for-test-q5_1.bin.part'), content.subarray(0, 100_000))
  await ask()
  expect(ranges).toEqual(['bytes=100000-'])
  expect(await readdir(path.join(folder, 'cache'))).toEqual(['ggml-for-test-q5_1.bin'])
})

it('refuses what does not have the published checksum, and starts afresh the next time', async () => {
  await mkdir(path.join(folder, 'cache'))
  await writeFile(path.join(folder, 'cache', 'ggml-for-test-q5_1.bin.part'), Buffer.alloc(100_000))
  await expect(ask()).rejects.toThrow('does not have the published checksum')
  await ask()
  expect(ranges).toEqual(['bytes=100000-', undefined])
})

it('takes another model that lies in the folders, and says why, where the one asked for cannot be fetched', async () => {
  await writeFile(path.join(folder, 'ggml-tiny.en-q8_0.bin'), 'x')
  const model = await ask({ modelsFolder: folder, baseUrl: nobodyListens })
  expect(model.name).toBe('tiny.en')
  expect(model.insteadBecause).toContain("'for-test' could not be fetched")
})

it('takes a model by its name whatever its quantization', async () => {
  await writeFile(path.join(folder, 'ggml-tiny.en-q8_0.bin'), 'x')
  expect(await ask({ model: 'tiny.en', modelsFolder: folder, baseUrl: nobodyListens })).toEqual({
    name: 'tiny.en',
    path: path.join(folder, 'ggml-tiny.en-q8_0.bin'),
  })
})

it('says how to add a model where there is none', async () => {
  const answer = ask({ baseUrl: nobodyListens })
  await expect(answer).rejects.toThrow(NoSpeechModelError)
  await expect(answer).rejects.toThrow(/To add one, put .* into .*cache/)
})

it('refuses a path at which there is no file', async () => {
  await expect(ask({ model: '/nowhere/ggml-base.bin' })).rejects.toThrow('/nowhere/ggml-base.bin')
})
