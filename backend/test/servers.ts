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
import { searchAttributes, startTemporal } from '@earmark/launcher/temporal'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  // Declared by Vitest as an interface: only that can be extended.
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions
  interface ProvidedContext {
    postgresUrl: string
    temporalAddress: string
  }
}

/**
 * Namespaces of that Temporal: one for each test file with workers, for those would take each other's jobs, and one in
 * which no worker ever asks for any.
 */
export const namespaces = {
  transcripts: 'transcripts',
  summaries: 'summaries',
  summaryRequests: 'summary-requests',
  payments: 'payments',
  idle: 'without-a-worker',
} as const

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
  await Promise.all(
    Object.values(namespaces).map(async (name) => {
      const operator = (...args: string[]) =>
        promisify(execFile)(cliPath, ['operator', ...args, '--address', temporal.address])
      await operator('namespace', 'create', name)
      const attributes = searchAttributes.flatMap((attribute) => {
        const [attributeName = '', type = ''] = attribute.split('=')
        return ['--name', attributeName, '--type', type]
      })
      await operator('search-attribute', 'create', '--namespace', name, ...attributes)
    }),
  )
  project.provide('postgresUrl', postgres.url)
  project.provide('temporalAddress', temporal.address)
  return async () => {
    await Promise.all([postgres.stop(), temporal.stop()])
    // As root the cluster lies where the database's own user can reach it.
    for (const folder of [dataDir, postgres.clusterFolder]) await rm(folder, { recursive: true, force: true })
  }
}
