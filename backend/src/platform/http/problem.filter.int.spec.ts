import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '../../../test/app.ts'
import { Ledger, LedgerBusyError } from '../../credits/ledger.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

// Seen red with another code of the error, and without the header.
it('asks whoever meets an account that is too busy to come again later', async () => {
  const { token } = await app.signUp()
  const busy = vi.spyOn(app.app.get(Ledger), 'position').mockRejectedValue(new LedgerBusyError('busy'))
  const { status, body, headers } = await app.call('GET', '/credits/balance', { token })
  expect(busy).toHaveBeenCalledOnce()
  busy.mockRestore()
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'temporarily_unavailable' })
  expect(headers.get('retry-after')).toBe('5')
  expect((await app.call('GET', '/credits/balance', { token })).status).toBe(200)
})
