import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

/** Another process of the benchmark, which answers each message with one. */
export function startChild(
  name: string,
  { args = [], execArgv = [] }: { args?: string[]; execArgv?: string[] } = {},
) {
  const child = fork(path.join(path.dirname(process.argv[1] ?? ''), `${name}.mjs`), args, {
    execArgv,
    // What the product logs of each request costs it as much as it does in use, and is read by nobody.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    ask: async <Answer>(question: unknown): Promise<Answer> => {
      child.send(question as object)
      return nextMessage<Answer>(child, name)
    },
    /** What it says by itself, once it is up. */
    greeting: <Answer>() => nextMessage<Answer>(child, name),
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function nextMessage<Answer>(child: ChildProcess, name: string): Promise<Answer> {
  const ended = new AbortController()
  const fail = (code: number | null) =>
    ended.abort(new Error(`The process ${name} ended with code ${code ?? '?'}`))
  child.once('exit', fail)
  try {
    const [answer] = (await once(child, 'message', { signal: ended.signal })) as [Answer]
    return answer
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error
  } finally {
    child.off('exit', fail)
  }
}

/** For a child: answers each question, and ends with its parent. */
export function answerParent(
  answer: (question: never) => Promise<unknown>,
  close: () => Promise<unknown> = () => Promise.resolve(),
) {
  process.on('message', (question) => {
    answer(question as never).then(
      (answered) => process.send?.(answered as object),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => void close().finally(() => process.exit(0)))
}
