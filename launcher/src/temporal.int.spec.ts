import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ProcessIdentity } from '../../scripts/process-lock.mjs'
import { openInstallation, type Installation } from './installation.ts'
import { findFreePort } from './ports.ts'
import { hasEnded } from './processes.ts'
import { findTemporalCli } from './temporal-cli.ts'
import { startTemporal, type Temporal } from './temporal.ts'

let installation: Installation
let cliPath: string
let server: Temporal | undefined

beforeAll(async () => {
  installation = openInstallation(mkdtempSync(path.join(os.tmpdir(), 'earmark-temporal-')))
  cliPath = (await findTemporalCli(console.log)).path
}, 600_000)

afterAll(async () => {
  await server?.stop()
  rmSync(installation.folder, { recursive: true })
})

const start = async () => {
  const [port, uiPort] = [await findFreePort(), await findFreePort()]
  server = await startTemporal({ cliPath, installation, port, uiPort, say: () => undefined })
  return server
}

const temporal = (address: string, ...args: string[]) =>
  execFileSync(cliPath, [...args, '--address', address, '-o', 'json'], { encoding: 'utf8' })

it('has our search attributes and its UI, and keeps its workflows over a stop, a kill and a start', async () => {
  const first = await start()
  const about = ['--workflow-id', 'kept', '--type', 'none', '--task-queue', 'none']
  temporal(first.address, 'workflow', 'start', ...about, '--search-attribute', 'userId="anna"')
  expect((await fetch(first.uiUrl)).status).toBe(200)
  await first.stop()

  const second = await start()
  const killed = installation.read('process-temporal') as ProcessIdentity
  process.kill(killed.pid, 'SIGKILL')
  expect(await hasEnded(killed, 10)).toBe(true)
  await second.stop()

  const third = await start()
  const found = temporal(third.address, 'workflow', 'list', '--query', 'userId = "anna"')
  expect(found).toContain('"workflowId": "kept"')
}, 60_000)
