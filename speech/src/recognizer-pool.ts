import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { ApiError } from './api-error.ts'
import type { FromChild, Job, ToChild } from './recognizer.protocol.ts'
import type { Transcript } from './transcript.ts'

export type PoolOptions = {
  modelPath: string
  slots: number
  threads: number
  /** How many may wait while every slot is busy. */
  queueLength: number
  /** The process that recognizes; another one in tests. */
  childPath?: string | undefined
}

type Place = { recognize(job: Job, signal: AbortSignal): Promise<Transcript>; release(): void }

export type RecognizerPool = ReturnType<typeof createRecognizerPool>

/** A fixed number of recognizer processes behind a bounded queue. */
export const createRecognizerPool = (options: PoolOptions) => {
  const slots = Array.from({ length: options.slots }, () => createSlot(options))
  const idle = [...slots]
  const waiting: ((slot: Slot) => void)[] = []
  let placesTaken = 0

  const giveBack = (slot: Slot) => {
    const next = waiting.shift()
    if (next) next(slot)
    else idle.push(slot)
  }

  const slotFor = (signal: AbortSignal): Promise<Slot> => {
    const free = idle.pop()
    if (free) return Promise.resolve(free)
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(take), 1)
        reject(cancelled())
      }
      const take = (slot: Slot) => {
        signal.removeEventListener('abort', leave)
        resolve(slot)
      }
      waiting.push(take)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  return {
    /** Resolves when the first recognizer has loaded the model; rejects when it cannot. */
    ready: () => Promise.any(slots.map((slot) => slot.ready())),

    status: () => ({
      isReady: slots.some((slot) => slot.isReady()),
      slots: slots.length,
      idle: idle.length,
      waiting: waiting.length,
    }),

    /**
     * A place in the queue, taken before an upload is read so that the memory of all uploads is bounded.
     * Throws a 503 ApiError where every place is taken.
     */
    enter: (): Place => {
      if (placesTaken >= options.slots + options.queueLength) {
        throw new ApiError(503, 'The speech server is busy. Please try again in a moment.', {
          code: 'server_busy',
          retryAfterSeconds: 10,
        })
      }
      placesTaken += 1
      let released = false
      return {
        recognize: async (job, signal) => {
          signal.throwIfAborted()
          const slot = await slotFor(signal)
          try {
            return await slot.recognize(job, signal)
          } finally {
            giveBack(slot)
          }
        },
        release: () => {
          if (!released) placesTaken -= 1
          released = true
        },
      }
    },

    close: () => {
      for (const slot of slots) slot.close()
    },
  }
}

type Slot = ReturnType<typeof createSlot>

/** One recognizer process, replaced when it dies or is stopped in the middle of its work. */
const createSlot = ({ modelPath, threads, childPath }: PoolOptions) => {
  let isClosed = false
  let current = start()

  function start() {
    const child = fork(
      childPath ?? new URL('recognizer.child.ts', import.meta.url),
      [modelPath, String(threads)],
      {
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    )
    const state = { child, isReady: false, hasEnded: false, loaded: firstMessage(child) }
    state.loaded.then(
      () => (state.isReady = true),
      () => (state.hasEnded = true),
    )
    child.on('error', () => (state.hasEnded = true))
    child.once('exit', () => {
      const wasReady = state.isReady
      state.isReady = false
      state.hasEnded = true
      // One that never loaded would only fail again: the next request tries, and is told why.
      if (wasReady && !isClosed) current = start()
    })
    return state
  }

  return {
    ready: () => current.loaded,
    isReady: () => current.isReady,

    recognize: async (job: Job, signal: AbortSignal): Promise<Transcript> => {
      if (current.hasEnded) current = start()
      const { child, loaded } = current
      const kill = () => child.kill('SIGKILL')
      signal.addEventListener('abort', kill, { once: true })
      try {
        signal.throwIfAborted()
        await loaded
        const answer = firstMessage(child)
        child.send({ job } satisfies ToChild)
        return transcriptOf(await answer)
      } catch (error) {
        if (signal.aborted) throw cancelled()
        throw error
      } finally {
        signal.removeEventListener('abort', kill)
      }
    },

    close: () => {
      isClosed = true
      current.child.kill('SIGKILL')
    },
  }
}

/** The next thing the process says; a 500 ApiError where it dies first. */
const firstMessage = async (child: ChildProcess): Promise<FromChild> => {
  const settled = new AbortController()
  try {
    const [message] = (await Promise.race([
      once(child, 'message', { signal: settled.signal }),
      once(child, 'exit', { signal: settled.signal }).then(([code, by]) => {
        throw new ApiError(500, `The recognizer ended unexpectedly (${String(by ?? code)}).`, {
          code: 'recognizer_crashed',
        })
      }),
    ])) as [FromChild]
    return message
  } finally {
    settled.abort()
  }
}

const transcriptOf = (answer: FromChild): Transcript => {
  switch (answer.kind) {
    case 'recognized':
      return answer.transcript
    case 'refused':
      throw new ApiError(400, answer.message, { code: answer.code, param: answer.param })
    case 'ready':
      throw new Error('A recognizer said twice that it is ready.')
  }
}

const cancelled = () => new ApiError(499, 'The request was cancelled.', { code: 'cancelled' })
