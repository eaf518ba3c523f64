import { decodeHTML } from 'entities'

/** A stranger's text as PostgreSQL can keep it: without the character 0 and without half surrogate pairs. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** What a feed's HTML says, without its tags. Lists and paragraphs keep their line breaks. */
export function plainText(html: string | undefined): string {
  if (html === undefined) return ''
  const withBreaks = html.replace(/<(?:br|\/p|\/li|\/div|\/h\d)\b[^<>]*>/gi, '\n').replace(/<[^<>]*>/g, '')
  return storableText(decodeHTML(withBreaks))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
