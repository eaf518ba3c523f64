import { problemStatus, type ProblemCode } from '@earmark/contracts/problems'
import { describe, expect, it } from 'vitest'
import { problemDecoder } from '../../api/problem.ts'
import { signInMessage, signUpMessage } from './messages.ts'
import { signUpRefusal } from './sign-up-rules.ts'

const refused = (code: ProblemCode, detail: string) =>
  problemDecoder({ code, detail }, { status: problemStatus[code] })

describe('a sign-in that fails', () => {
  it.each([
    [refused('invalid_credentials', 'Wrong e-mail or password'), 'Wrong e-mail or password'],
    [problemDecoder(null, { status: 500 }), 'Invalid credentials'],
    [new TypeError('Failed to fetch'), 'Signin failed'],
  ])('says so in the words of the catalogue', (error, message) => {
    expect(signInMessage(error)).toBe(message)
  })
})

describe('a sign-up that fails', () => {
  it.each([
    [refused('invalid_input', 'That is no e-mail address'), 'That is no e-mail address'],
    [problemDecoder(null, { status: 500 }), 'Signup failed'],
    [new TypeError('Failed to fetch'), 'An unexpected error occurred'],
  ])('says so in the words of the catalogue', (error, message) => {
    expect(signUpMessage(error)).toBe(message)
  })
})

describe('the sign-up form', () => {
  it.each([
    ['lantern', 'lamp', 'solved', 'Passwords do not match'],
    ['lamp', 'lamp', 'solved', 'Password must be at least 6 characters'],
    ['lantern', 'lantern', null, 'Please complete the security challenge'],
    ['lantern', 'lantern', 'solved', null],
  ])('with %j, %j and the proof %j answers %j', (password, confirmation, challengeToken, refusal) => {
    expect(signUpRefusal({ password, confirmation, challengeToken })).toBe(refusal)
  })
})
