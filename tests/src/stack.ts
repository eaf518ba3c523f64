/** The whole product, started as `npm start` does, with data of its own and ports of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const repositoryRoot = path.resolve(import.meta.dirname, '..', '..')
const startTimeoutSeconds = 170
const stopTimeoutSeconds = 60

export type Part = 'backend' | 'worker' | 'speech' | 'sandbox' | 'temporal' | 'postgres'

/** What a vendor of the sandbox does wrong, as its control takes it. */
export type Fault =
  { kind: 'slow'; delayMs: number; count?: number } | { kind: 'down' } | { kind: 'failing'; status: number }

type VendorRequest = { method: string; path: string; status: number | null; aborted: boolean }

export type FaultyVendor =
  'transcription' | 'audio' | 'feeds' | 'language' | 'stripe' | 'stripe_webhooks' | 'mail'

export type Stack = Awaited<ReturnType<typeof startStack>>

/** What a developer may have set for a product of their own, here or in `.env`, must not reach this one. */
const isSetting = (name: string) =>
  /^(HOST|PUBLIC_URL|ALLOW_SANDBOX|TRUST_PROXY|LOG_LEVEL|SECRET_KEY|SPEECH_SLOTS)$/.test(name) ||
  /^(DATABASE|TEMPORAL_(?!CLI)|TRANSCRIPTION|VENDOR|PODCAST|ITUNES|OPENAI|FETCH|TURNSTILE|SUMMARY|CHECKOUT|MAIL|S3|SMTP|STRIPE)/.test(
    name,
  )

const withoutSettings = (): NodeJS.ProcessEnv => {
  const file = path.join(repositoryRoot, '.env')
  const written = existsSync(file) ? [...readFileSync(file, 'utf8').matchAll(/^\s*(\w+)\s*=/gm)] : []
  const names = [...Object.keys(process.env), ...written.map(([, name = '']) => name)]
  // Set to nothing, not left out: `.env` fills in what is left out.
  return { ...process.env, ...Object.fromEntries(names.filter(isSetting).map((name) => [name, ''])) }
}

/** Ports that nobody listens on, all different. */
const freePorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<net.Server>((resolve) => {
          const server = net.createServer().listen(0, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/**
 * Starts everything and waits until it can be used.
 * @param settingsFor settings beside the defaults, which may name the sandbox's address
 */
export async function startStack(settingsFor: (sandboxOrigin: string) => Record<string, string>) {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'earmark-e2e-'))
  const [port = 0, sandboxPort = 0, ...others] = await freePorts(7)
  const sandboxOrigin = `http://127.0.0.1:${sandboxPort}`
  // As if it had run on them before: so their addresses are known before it starts.
  const remembered = ['sandbox', 'postgres', 'temporal', 'temporal-ui', 'speech', 'sandbox-smtp'].map(
    (part, index) => [part, index === 0 ? sandboxPort : others[index - 1]] as const,
  )
  for (const [part, number] of remembered)
    await writeFile(path.join(dataFolder, `port-${part}.json`), String(number))

  const env = {
    ...withoutSettings(),
    EARMARK_DATA: dataFolder,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ITUNES_BASE_URL: `${sandboxOrigin}/itunes`,
    ...settingsFor(sandboxOrigin),
  }
  const launcher = run('start', [], env)
  const stop = async () => {
    launcher.process.kill('SIGTERM')
    if ((await launcher.endedWithin(stopTimeoutSeconds)) === undefined) {
      launcher.process.kill('SIGKILL')
      throw new Error(`The product did not stop in ${stopTimeoutSeconds} s. It said:\n${launcher.output()}`)
    }
    // As root it lies elsewhere, where the database's user can reach it.
    const cluster = read('postgres/cluster') as { folder: string } | undefined
    for (const folder of [cluster?.folder ?? dataFolder, dataFolder])
      await rm(folder, { recursive: true, force: true })
  }

  const read = (name: string): unknown => {
    const file = path.join(dataFolder, `${name}.json`)
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  }
  const pidOf = (part: Part): number => {
    if (part === 'postgres') {
      const { folder } = read('postgres/cluster') as { folder: string }
      return Number(readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    }
    return (read(`process-${part}`) as { pid: number }).pid
  }

  const origin = `http://127.0.0.1:${port}`
  const isReady = async () => {
    const answer = await fetch(`${origin}/v1/health/ready`, { signal: AbortSignal.timeout(3000) }).catch(
      () => undefined,
    )
    await answer?.body?.cancel()
    return answer?.status === 200
  }

  /** What the sandbox's control answers. */
  const control = async <T>(method: string, route: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${sandboxOrigin}/control/${route}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`The sandbox refuses ${method} ${route}: ${await answer.text()}`)
    return (await answer.json()) as T
  }

  /** What an operator types behind `npm run credits --`, and what comes of it. */
  const credits = async (words: string[], settings: NodeJS.ProcessEnv = {}) => {
    const command = run('credits', words, { ...env, ...settings })
    return { code: await command.endedWithin(30), output: command.output() }
  }

  const deadline = Date.now() + startTimeoutSeconds * 1000
  while (!launcher.output().includes('Ctrl-C stops everything.')) {
    const hasEnded = (await launcher.endedWithin(0.2)) !== undefined
    if (!hasEnded && Date.now() < deadline) continue
    if (!hasEnded) await stop()
    throw new Error(`The product does not start. It said:\n${launcher.output()}`)
  }

  return {
    origin,
    sandboxOrigin,
    output: launcher.output,
    isReady,
    pidOf,
    stop,
    databaseUrl: () => (read('backend-environment') as { DATABASE_URL: string }).DATABASE_URL,
    /** The part's process gets the signal now; the launcher starts again what ends. */
    signal: (part: Part, name: NodeJS.Signals) => process.kill(pidOf(part), name),
    untilReady: () => eventually(`${origin} is ready`, 60, async () => (await isReady()) || undefined),

    credits,

    grant: async (email: string, amount: number) => {
      const { code, output } = await credits(['grant', email, String(amount), '--reason', 'For a test'])
      if (code !== 0) throw new Error(`No credits were granted:\n${output}`)
    },

    control,

    /** Puts these of the sandbox's vendors out of order, and all others in order. */
    setFaults: (faults: Partial<Record<FaultyVendor, Fault>>) => control('PUT', 'faults', faults),

    /** What the product has asked of the sandbox's vendors and has no answer to yet, as `GET /path`. */
    unanswered: async () => {
      const { requests } = await control<{ requests: VendorRequest[] }>('GET', 'requests')
      return requests
        .filter(({ status, aborted }) => status === null && !aborted)
        .map(({ method, path: asked }) => `${method} ${asked}`)
    },
  }
}

/** One of the launcher's commands, with all that it says. */
function run(command: 'start' | 'credits', args: string[], env: NodeJS.ProcessEnv) {
  const script = path.join(repositoryRoot, 'launcher', 'src', `${command}.ts`)
  // Where the tests are killed, the fourth channel closes and the launcher stops by itself.
  const child: ChildProcess = spawn(process.execPath, [script, ...args], {
    cwd: repositoryRoot,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)))
  return {
    process: child,
    output: () => output,
    /** Its exit code, or undefined where it still runs then. */
    endedWithin: (seconds: number) => Promise.race([ended, sleep(seconds * 1000, undefined, { ref: false })]),
  }
}

/** Asks until there is an answer; what it asks may fail meanwhile. */
export async function eventually<T>(
  what: string,
  seconds: number,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    let reason = ''
    try {
      const answer = await ask()
      if (answer !== undefined) return answer
    } catch (error) {
      reason = `: ${String(error)}`
    }
    if (Date.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}${reason}`)
    await sleep(100)
  }
}
