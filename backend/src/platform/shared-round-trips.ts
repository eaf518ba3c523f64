type Waiting<Question, Answer> = {
  question: Question
  resolve: (answer: Answer | Promise<Answer>) => void
  reject: (error: unknown) => void
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
    private readonly limits: { underWay: number; questions: number },
  ) {}

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject })
      this.#plan()
    })
  }

  // After whatever else happens in this turn of the event loop: those who were answered together ask together.
  #plan() {
    if (this.#isPlanned || this.#underWay >= this.limits.underWay) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      if (this.#waiting.length > 0) void this.#goOnce()
    })
  }

  async #goOnce() {
    const travelling = this.#waiting.splice(0, this.limits.questions)
    this.#underWay += 1
    if (this.#waiting.length > 0) this.#plan()
    try {
      const answers = await this.send(travelling.map(({ question }) => question))
      if (answers.length !== travelling.length) throw new Error('A round trip brought back too few answers')
      travelling.forEach(({ resolve }, index) => resolve(answers[index] as Answer | Promise<Answer>))
    } catch (error) {
      for (const { reject } of travelling) reject(error)
    } finally {
      this.#underWay -= 1
    }
    if (this.#waiting.length > 0) this.#plan()
  }
}
