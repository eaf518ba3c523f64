import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { findOnPath } from './programs.ts'

type Say = (line: string) => void

/** Builds a Go program, such as `example.org/cmd/tool@v1.2.3`, into `folder`. Throws where Go is missing or fails. */
export const installWithGo = async (program: string, folder: string, say: Say) => {
  const go = findOnPath(['go'])
  if (!go) throw new Error('Go is not on this machine')
  await fillFolder(folder, async (place) => {
    const startedAt = Date.now()
    let packages = 0
    const timer = setInterval(() => {
      say(`  ${packages} packages built, ${Math.round((Date.now() - startedAt) / 1000)} s`)
    }, 15_000)
    const child = spawn(go, ['install', '-v', program], {
      env: { ...process.env, GOBIN: place },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let lastLine = ''
    createInterface(child.stderr).on('line', (line) => {
      packages += 1
      lastLine = line
    })
    try {
      const code = await new Promise<number | null>((resolve, reject) => {
        child.on('error', reject)
        child.on('close', resolve)
      })
      if (code !== 0) throw new Error(`go install failed: ${lastLine}`)
    } finally {
      clearInterval(timer)
    }
  })
}

/** A folder of the cache is there whole or not at all, whoever else fills it at the same time. */
export const fillFolder = async (folder: string, fill: (place: string) => Promise<void>) => {
  const place = `${folder}.${process.pid}`
  await mkdir(place, { recursive: true })
  try {
    await fill(place)
    await rename(place, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
