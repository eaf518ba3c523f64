import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { findTemporalCli } from '@earmark/launcher/temporal-cli'
import { openInstallation } from '@earmark/launcher/installation'
import { findFreePort } from '@earmark/launcher/ports'
import { startPostgres } from '@earmark/launcher/postgres'
import { startTemporal } from '@earmark/launcher/temporal'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  // Declared by Vitest as an interface: only that can be extended.
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions
  interface ProvidedContext {
    postgresUrl: string
    temporalAddress: string
  }
}

/** A namespace of that Temporal in which no worker ever asks for jobs. */
export const idleNamespace = 'without-a-worker'

/** A real PostgreSQL and a real Temporal for all test files of one run; each file makes a database of its own. */
export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'earmark-test-'))
  const say = (line: string) => project.vitest.logger.log(line)
  const { path: cliPath } = await findTemporalCli(say)
  const [postgres, temporal] = await Promise.all([
    startPostgres({ dataDir }),
    startTemporal({
      cliPath,
      installation: openInstallation(dataDir),
      port: await findFreePort(),
      uiPort: await findFreePort(),
      say,
    }),
  ])
  // Beside the namespace whose queues the workers of some test serve.
  await promisify(execFile)(cliPath, [
    'operator',
    'namespace',
    'create',
    idleNamespace,
    '--address',
    temporal.address,
  ])
  project.provide('postgresUrl', postgres.url)
  project.provide('temporalAddress', temporal.address)
  return async () => {
    await Promise.all([postgres.stop(), temporal.stop()])
    // As root the cluster lies where the database's own user can reach it.
    for (const folder of [dataDir, postgres.clusterFolder]) await rm(folder, { recursive: true, force: true })
  }
}
