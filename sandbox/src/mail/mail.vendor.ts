import { json, type Reply, text } from '../http/reply.ts'
import type { Vendor, VendorRequest } from '../vendor.ts'
import type { Mailbox } from './mailbox.ts'
import { listPage, messagePage } from './mailbox-page.ts'

/**
 * The mailbox behind the sandbox's SMTP server: to read at `/mail`, as JSON at `/mail/messages` (`?to=` one address) and
 * `/mail/messages/<id>`; DELETE `/mail/messages` empties it.
 */
export function mail(mailbox: Mailbox): Vendor {
  return {
    name: 'mail',
    title: 'Mail',
    description: 'An SMTP server that takes any mail and delivers it nowhere but to its own mailbox.',
    paths: ['/mail'],
    methods: ['GET', 'HEAD', 'DELETE'],
    failure: (status, message) => json(status, { detail: message }),
    answer: (request) => answer(mailbox, request),
  }
}

function answer(mailbox: Mailbox, { method, url }: VendorRequest): Reply {
  const [, , resource, id, ...rest] = url.pathname.replace(/\/$/, '').split('/')
  if (method === 'DELETE') {
    if (resource !== 'messages' || id !== undefined) return json(404, { detail: 'No such mailbox.' })
    mailbox.clear()
    return { status: 204 }
  }
  const to = url.searchParams.get('to') ?? undefined
  if (resource === undefined) return page(listPage(mailbox.to(to), to))
  if (resource === 'messages' && id === undefined) return json(200, { messages: mailbox.to(to) })
  const message = mailbox.find(resource === 'messages' ? (id ?? '') : resource)
  if (!message || rest.length > 0) return json(404, { detail: 'No such message.' })
  return resource === 'messages' ? json(200, message) : page(messagePage(message))
}

/** No script runs here, whatever a mail brings along. */
function page(html: string): Reply {
  const reply = text(200, html, 'text/html; charset=utf-8')
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data: http: https:; frame-src 'self'"
  return { ...reply, headers: { ...reply.headers, 'content-security-policy': policy } }
}
