/** Finds Temporal's command line tool, which has the server in it, or brings it to this machine once. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { fetchVerified } from '@earmark/speech/download'
import { cacheFolder } from '@earmark/speech/model'
import { fillFolder, installWithGo } from './go-install.ts'
import { findOnPath } from './programs.ts'
import { progressLine } from './progress.ts'

/** Later ones cannot be built by `go install`: their go.mod has a `replace`. */
const version = '1.5.1'

/** Of https://github.com/temporalio/cli/releases/tag/v1.5.1 */
const archives: Record<string, { name: string; sha256: string }> = {
  'linux-x64': {
    name: `temporal_cli_${version}_linux_amd64.tar.gz`,
    sha256: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  },
  'linux-arm64': {
    name: `temporal_cli_${version}_linux_arm64.tar.gz`,
    sha256: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  },
  'darwin-x64': {
    name: `temporal_cli_${version}_darwin_amd64.tar.gz`,
    sha256: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  },
  'darwin-arm64': {
    name: `temporal_cli_${version}_darwin_arm64.tar.gz`,
    sha256: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
  },
}

export type TemporalCli = {
  path: string
  from: 'TEMPORAL_CLI' | 'PATH' | 'cache' | 'download' | 'go install'
}

type Say = (line: string) => void

/** In this order: TEMPORAL_CLI, the PATH, the cache, the official download, `go install`. Throws where none works. */
export const findTemporalCli = async (
  say: Say,
  env: NodeJS.ProcessEnv = process.env,
): Promise<TemporalCli> => {
  if (env.TEMPORAL_CLI) {
    if (runs(env.TEMPORAL_CLI)) return { path: env.TEMPORAL_CLI, from: 'TEMPORAL_CLI' }
    throw new Error(`TEMPORAL_CLI is set to ${env.TEMPORAL_CLI}, which cannot be run.`)
  }
  const onPath = findOnPath(['temporal'], env)
  if (onPath && runs(onPath)) return { path: onPath, from: 'PATH' }

  const folder = path.join(cacheFolder(env), `temporal-${version}`)
  const cached = path.join(folder, 'temporal')
  if (existsSync(cached)) return { path: cached, from: 'cache' }

  const refusals: string[] = []
  for (const [from, bring] of [
    ['download', download],
    ['go install', goInstall],
  ] as const) {
    try {
      await bring(folder, say)
      return { path: cached, from }
    } catch (error) {
      refusals.push(`${from}: ${reasonOf(error)}`)
      say(`Temporal by ${refusals.at(-1) ?? ''}`)
    }
  }
  throw new Error(
    `Temporal's server cannot be had on this machine (${refusals.join('; ')}). Install Temporal's command line tool ` +
      '(https://docs.temporal.io/cli) or set TEMPORAL_CLI to it, or set TEMPORAL_ADDRESS to a server of yours.',
  )
}

const runs = (command: string) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0

const download = async (folder: string, say: Say) => {
  const archive = archives[`${process.platform}-${process.arch}`]
  if (!archive) throw new Error(`there is none for ${process.platform}-${process.arch}`)
  say(`Fetching Temporal ${version}, once for this machine.`)
  const file = path.join(path.dirname(folder), archive.name)
  await fetchVerified({
    url: `https://github.com/temporalio/cli/releases/download/v${version}/${archive.name}`,
    sha256: archive.sha256,
    target: file,
    onProgress: progressLine('Temporal', say),
  })
  await fillFolder(folder, (place) => {
    const { status, stderr } = spawnSync('tar', ['-xzf', file, '-C', place, 'temporal'], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`tar could not unpack it: ${stderr}`)
    return Promise.resolve()
  })
  await rm(file)
}

const goInstall = (folder: string, say: Say) => {
  say(`Building Temporal ${version} with Go: about 3 minutes on 2 cores, once for this machine.`)
  return installWithGo(`github.com/temporalio/cli/cmd/temporal@v${version}`, folder, say)
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
