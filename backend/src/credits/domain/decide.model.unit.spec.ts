import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { commands, PaperLedger } from '../../../test/ledger-model.ts'
import { emptyAccount, evolve, signedAmount } from './account.ts'
import { decide } from './decide.ts'

const seed = Number(process.env.SEED ?? randomInt(2 ** 31))

// Seen red with a refund that forgets what was given back before.
it(`answers 5,000 sequences of commands as a ledger on paper does (SEED=${seed})`, () => {
  fc.assert(
    fc.property(commands, (sequence) => {
      const paper = new PaperLedger()
      let account = emptyAccount
      let sum = 0
      for (const command of sequence) {
        const decision = decide(command, account)
        const answer = decision.accepted
          ? `accepted ${decision.receipt.amountMicrocredits} ${decision.receipt.balanceAfterMicrocredits}`
          : decision.refusal.code
        expect(answer).toBe(paper.tell(command))
        if (decision.accepted && decision.event) {
          sum += signedAmount(decision.event)
          account = evolve(account, decision.event)
        }
        expect([account.balanceMicrocredits, account.owedMicrocredits]).toEqual([paper.balance, paper.owed])
        expect(account.balanceMicrocredits - account.owedMicrocredits).toBe(sum)
        expect(Math.min(account.balanceMicrocredits, account.owedMicrocredits)).toBe(0)
      }
    }),
    { seed, numRuns: 5000 },
  )
})
