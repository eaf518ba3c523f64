import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from '../http/html.ts'
import type { Message } from './mailbox.ts'

const template = readFileSync(join(import.meta.dirname, 'mailbox.html'), 'utf8')

/** All mails, newest first, each a link. */
export function listPage(messages: readonly Message[], to?: string): string {
  const items = messages.map(
    ({ id, subject, to: recipients, at }) =>
      `<li><a href="/mail/${id}"><strong>${escapeHtml(subject || 'No subject')}</strong>` +
      `<span>to ${escapeHtml(recipients.join(', '))}</span>${timeOf(at)}</a></li>`,
  )
  const body =
    items.length > 0
      ? `<ul class="mails">${items.join('\n')}</ul>`
      : '<p class="empty">No mail yet. What Earmark sends arrives here, and nowhere else.</p>'
  return filled(to === undefined ? 'Mailbox' : `Mail to ${to}`, body)
}

/** One mail; its own HTML shows in a frame that may neither run scripts nor reach this page. */
export function messagePage({ subject, from, to, at, text, html, attachments }: Message): string {
  const files = attachments
    .map(({ filename, sizeBytes }) => `${filename ?? 'a file'}, ${sizeBytes} bytes`)
    .join('; ')
  const rows: [string, string][] = [
    ['From', escapeHtml(from)],
    ['To', escapeHtml(to.join(', '))],
    ['Came', timeOf(at)],
    ...(files === '' ? [] : [['Files', escapeHtml(files)] satisfies [string, string]]),
  ]
  const head = rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')
  const frame =
    html === null
      ? ''
      : `<iframe title="The mail as it was designed" sandbox="allow-popups" srcdoc="${escapeHtml(html)}"></iframe>`
  const plain = text === null ? '' : `<h2>As text</h2><pre>${linked(text)}</pre>`
  return filled(
    subject || 'No subject',
    `<dl>${head}</dl>${frame}${plain}<p><a href="/mail">All mail</a></p>`,
  )
}

function timeOf(at: string): string {
  return `<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>`
}

function linked(text: string): string {
  return escapeHtml(text).replace(
    /https?:\/\/[^\s<>&"]+(?:&amp;[^\s<>&"]+)*/g,
    (url) => `<a href="${url}">${url}</a>`,
  )
}

function filled(title: string, body: string): string {
  const parts: Record<string, string> = { title: escapeHtml(title), body }
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '')
}
