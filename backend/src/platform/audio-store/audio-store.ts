import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Inject, Injectable } from '@nestjs/common'
import { CONFIG, type Config } from '../config/config.ts'

/**
 * Where a job's audio lies between its steps, below one folder for each job. Every worker must see the same store.
 * What is written appears whole or not at all.
 */
@Injectable()
export class AudioStore {
  readonly #root: string

  constructor(@Inject(CONFIG) config: Config) {
    this.#root = path.resolve(config.dataFolder, 'audio')
  }

  async writeStream(job: string, name: string, content: Readable): Promise<void> {
    await this.writeFileWith(job, name, (file) => pipeline(content, createWriteStream(file)))
  }

  /** Has `write` fill a file, which takes its place under `name` only when it is done. */
  async writeFileWith(job: string, name: string, write: (file: string) => Promise<void>): Promise<void> {
    const place = this.#path(job, name)
    await mkdir(path.dirname(place), { recursive: true })
    // Two attempts of one step may overlap, on one machine or on several.
    const draft = `${place}.${randomUUID()}.draft`
    try {
      await write(draft)
      await rename(draft, place)
    } finally {
      await rm(draft, { force: true })
    }
  }

  async writeJson(job: string, name: string, value: unknown): Promise<void> {
    await this.writeFileWith(job, name, (file) => writeFile(file, JSON.stringify(value)))
  }

  async readJson(job: string, name: string): Promise<unknown> {
    return JSON.parse(await readFile(this.#path(job, name), 'utf8'))
  }

  /** A file to read from. */
  fileOf(job: string, name: string): string {
    return this.#path(job, name)
  }

  async discard(job: string): Promise<void> {
    await rm(path.join(this.#root, job), { recursive: true, force: true })
  }

  #path(job: string, name: string): string {
    return path.join(this.#root, job, name)
  }
}
