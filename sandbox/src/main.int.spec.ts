import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

function run(env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = ''
  for await (const part of stream ?? []) {
    text += String(part)
    if (text.includes('\n')) break
  }
  return text.split('\n')[0] ?? ''
}

test('says where it listens, and closes in order though a request still hangs', async () => {
  const sandbox = run({ SANDBOX_PORT: '0' })
  const [, url = ''] =
    /^sandbox listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(await firstLine(sandbox.stdout)) ?? []
  await fetch(`${url}/control/faults/feeds`, { method: 'PUT', body: JSON.stringify({ kind: 'hanging' }) })
  const hanging = expect(fetch(`${url}/feeds/night-lab`)).rejects.toThrow()
  await fetch(`${url}/control/requests`)
  sandbox.kill('SIGTERM')
  const [code] = (await once(sandbox, 'exit')) as [number | null]
  expect(code).toBe(0)
  await hanging
})

test('says where mail goes, and sends events where the environment says', async () => {
  const sandbox = run({
    SANDBOX_PORT: '0',
    STRIPE_WEBHOOK_URL: 'http://127.0.0.1:1/hook',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  })
  let said = ''
  await new Promise<void>((resolve) => {
    sandbox.stdout?.on('data', (part) => {
      said += String(part)
      if (said.includes('mail to')) resolve()
    })
  })
  expect(said).toMatch(/^mail to smtp:\/\/127\.0\.0\.1:\d+$/m)
  const [, url = ''] = /listening on (\S+)/.exec(said) ?? []
  const settings = await (await fetch(`${url}/control/stripe`)).json()
  expect(settings).toMatchObject({ webhookUrl: 'http://127.0.0.1:1/hook', webhookSecret: 'whsec_1' })
  sandbox.kill('SIGTERM')
  await once(sandbox, 'exit')
})

test.each([
  ['a port that is none', { SANDBOX_PORT: 'many' }, 'SANDBOX_PORT'],
  ['a webhook that is no address', { STRIPE_WEBHOOK_URL: 'here' }, 'STRIPE_WEBHOOK_URL'],
  ['a folder that is not there', { SANDBOX_PORT: '0', SANDBOX_MEDIA: '/none' }, '/none'],
])('refuses %s with a sentence', async (_, env, named) => {
  const sandbox = run(env)
  let said = ''
  sandbox.stderr?.on('data', (part) => (said += String(part)))
  const [code] = (await once(sandbox, 'close')) as [number | null]
  expect(code).toBe(1)
  expect(said).toContain(named)
  expect(said).not.toContain('    at ')
})
