import { createTransport, type Transporter } from 'nodemailer'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../server.ts'
import type { LoggedRequest } from '../control/request-log.ts'
import type { Message } from './mailbox.ts'

let sandbox: Sandbox
let transport: Transporter
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  transport = createTransport(sandbox.smtpUrl, { from: 'Earmark <hello@earmark.test>' })
})
beforeEach(async () => {
  for (const path of ['mail/messages', 'control/faults', 'control/requests']) {
    await fetch(`${sandbox.url}/${path}`, { method: 'DELETE' })
  }
})
afterAll(async () => {
  transport.close()
  await sandbox.close()
})

async function messages(to?: string): Promise<Message[]> {
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`
  const answer = await fetch(`${sandbox.url}/mail/messages${query}`)
  return ((await answer.json()) as { messages: Message[] }).messages
}

function setFault(fault: object): Promise<Response> {
  return fetch(`${sandbox.url}/control/faults/mail`, { method: 'PUT', body: JSON.stringify(fault) })
}

const receipt = {
  to: 'Ada <ada@example.com>',
  subject: 'Your receipt — 50 credits',
  text: 'Paid: $5.00\nhttp://127.0.0.1:3000/credits?a=1&b=2',
  html: '<p>Paid: <b>$5.00</b></p><script>parent.alert(1)</script>',
}

test('keeps a mail as it was sent, newest first', async () => {
  await transport.sendMail(receipt)
  await transport.sendMail({ ...receipt, to: ['bob@example.com', 'ADA@example.com'], subject: 'Second' })
  const all = await messages()
  expect(all.map(({ subject }) => subject)).toEqual(['Second', 'Your receipt — 50 credits'])
  expect(all[1]).toMatchObject({
    from: 'Earmark <hello@earmark.test>',
    to: ['ada@example.com'],
    text: expect.stringContaining('Paid: $5.00'),
    html: expect.stringContaining('<b>$5.00</b>'),
  })
  expect((await messages('bob@example.com')).map(({ subject }) => subject)).toEqual(['Second'])
  expect(await messages('ada@example.com')).toHaveLength(2)
  const one = await fetch(`${sandbox.url}/mail/messages/${all[0]?.id ?? ''}`)
  expect(await one.json()).toEqual(all[0])
})

test('takes any name and password, and needs none', async () => {
  const { hostname, port } = new URL(sandbox.smtpUrl)
  const known = createTransport({
    host: hostname,
    port: Number(port),
    auth: { user: 'earmark', pass: 'secret' },
  })
  await known.sendMail({ ...receipt, from: 'a@b.test' })
  expect(await messages()).toHaveLength(1)
})

test('shows mails to people, and lets none of them run a script', async () => {
  expect(await (await fetch(`${sandbox.url}/mail`)).text()).toContain('No mail yet')
  await transport.sendMail({ ...receipt, subject: '<img src=x onerror=alert(1)>' })
  const [message] = await messages()
  const list = await (await fetch(`${sandbox.url}/mail`)).text()
  expect(list).toContain('&lt;img src=x')
  expect(list).toContain(`/mail/${message?.id ?? ''}`)
  const page = await fetch(`${sandbox.url}/mail/${message?.id ?? ''}`)
  const html = await page.text()
  expect(html).not.toMatch(/<script|<img/)
  expect(html).toMatch(/<iframe[^>]* sandbox="allow-popups"/)
  expect(html).toContain('href="http://127.0.0.1:3000/credits?a=1&amp;b=2"')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('is emptied when it is asked, and knows no mail that is not there', async () => {
  await transport.sendMail(receipt)
  expect((await fetch(`${sandbox.url}/mail/messages`, { method: 'DELETE' })).status).toBe(204)
  expect(await messages()).toEqual([])
  expect((await fetch(`${sandbox.url}/mail/messages/none`)).status).toBe(404)
})

test.each([
  [{ kind: 'failing', status: 451, count: 1 }, 451],
  [{ kind: 'failing', status: 550, count: 1 }, 550],
  [{ kind: 'rateLimited', retryAfterSeconds: 5, count: 1 }, 451],
])('refuses the next mail for %j, and then no more', async (fault, code) => {
  await setFault(fault)
  await expect(transport.sendMail(receipt)).rejects.toMatchObject({ responseCode: code })
  await transport.sendMail(receipt)
  expect(await messages()).toHaveLength(1)
})

test('is down for one connection', async () => {
  await setFault({ kind: 'down', count: 1 })
  await expect(transport.sendMail(receipt)).rejects.toThrow()
  await transport.sendMail(receipt)
})

test('never answers while it hangs', async () => {
  await setFault({ kind: 'hanging', count: 1 })
  const impatient = createTransport(`${sandbox.smtpUrl}?socketTimeout=200`)
  await expect(impatient.sendMail({ ...receipt, from: 'a@b.test' })).rejects.toThrow(/imeout/)
  expect(await messages()).toEqual([])
})

test('is slow by the time that was set', async () => {
  await setFault({ kind: 'slow', delayMs: 200, count: 1 })
  const sentAt = performance.now()
  await transport.sendMail(receipt)
  expect(performance.now() - sentAt).toBeGreaterThanOrEqual(190)
})

test('notes each mail without what it says', async () => {
  await setFault({ kind: 'failing', status: 451, count: 1 })
  await transport.sendMail(receipt).catch(() => undefined)
  await transport.sendMail(receipt)
  const answer = await fetch(`${sandbox.url}/control/requests`)
  const { requests } = (await answer.json()) as { requests: LoggedRequest[] }
  expect(requests.filter((request) => request.vendor === 'mail' && request.method === 'MAIL')).toMatchObject([
    { vendor: 'mail', method: 'MAIL', path: 'hello@earmark.test', status: 451 },
    { vendor: 'mail', method: 'MAIL', path: 'hello@earmark.test', status: 250 },
  ])
  expect(JSON.stringify(requests)).not.toContain('Paid')
})
