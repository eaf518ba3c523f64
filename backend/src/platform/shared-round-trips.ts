type Waiting<Question, Answer> = {
  question: Question
  resolve: (answer: Answer | Promise<Answer>) => void
  reject: (error: unknown) => void
}

type Limits = {
  /** Trips at a time. */
  underWay: number
  /** The most that one trip carries. */
  questions: number
  /** A round trip that takes longer is given up, so that it does not stand in the way of the next for ever. */
  timeoutMs: number
}

class RoundTripTimeoutError extends Error {
  override readonly name = 'RoundTripTimeoutError'
  readonly code = 'ETIMEDOUT'
}

/**
 * Lets questions that come at the same time, or while others are under way, share the next round trip. A question
 * is never added to a round trip that has begun: what was written before it was asked is in its answer.
 */
export class SharedRoundTrips<Question, Answer> {
  #waiting: Waiting<Question, Answer>[] = []
  #underWay = 0
  #isPlanned = false

  /** `send` answers in the order of the questions; an answer may be a failure of that question's own. */
  constructor(
    private readonly send: (questions: Question[]) => Promise<(Answer | Promise<Answer>)[]>,
    private readonly limits: Limits,
  ) {}

  /** @throws what `send` throws, and an error of the code ETIMEDOUT where its answer does not come in time. */
  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject })
      this.#plan()
    })
  }

  // Two turns of the event loop later: those who were answered together, and come again in the next turn, travel
  // together. A round trip costs as much as about ten questions.
  #plan() {
    if (this.#isPlanned || this.#underWay >= this.limits.underWay) return
    this.#isPlanned = true
    setImmediate(() =>
      setImmediate(() => {
        this.#isPlanned = false
        if (this.#waiting.length > 0) void this.#goOnce()
      }),
    )
  }

  async #goOnce() {
    const travelling = this.#waiting.splice(0, this.limits.questions)
    this.#underWay += 1
    if (this.#waiting.length > 0) this.#plan()
    try {
      const trip = this.send(travelling.map(({ question }) => question))
      // Once the trip is given up nobody waits for its answers: a failure among them must not end the process.
      trip.then(
        (late) => Promise.allSettled(late),
        () => undefined,
      )
      const answers = await this.#inTime(trip)
      if (answers.length !== travelling.length) throw new Error('A round trip brought back too few answers')
      travelling.forEach(({ resolve }, index) => resolve(answers[index] as Answer | Promise<Answer>))
    } catch (error) {
      for (const { reject } of travelling) reject(error)
    } finally {
      this.#underWay -= 1
    }
    if (this.#waiting.length > 0) this.#plan()
  }

  #inTime<T>(trip: Promise<T>): Promise<T> {
    const { timeoutMs } = this.limits
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new RoundTripTimeoutError(`No answer came within ${timeoutMs} ms`)),
        timeoutMs,
      )
      trip.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }
}
