import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { artworkUrl, type Catalogue, enclosureOf, feedUrl } from '../catalogue/catalogue.ts'
import type { Episode, Show } from '../catalogue/show.ts'
import { escapeHtml } from '../http/html.ts'
import { type TestCard, testCards } from '../stripe/test-cards.ts'
import type { Vendor } from '../vendor.ts'

const template = readFileSync(join(import.meta.dirname, 'page.html'), 'utf8')

/** The page for people: what is pretended here, the shows, and the faults as a form. */
export function pageOf(catalogue: Catalogue, vendors: readonly Vendor[]): string {
  const parts: Record<string, string> = {
    vendors: vendors.map(vendorRow).join('\n'),
    vendorOptions: vendors
      .map(({ name, title }) => `<option value="${name}">${escapeHtml(title)}</option>`)
      .join(''),
    testCards: testCards.map(cardRow).join('\n'),
    shows: catalogue.shows.map((show) => showSection(catalogue, show)).join('\n'),
  }
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '')
}

function vendorRow({ title, description, paths }: Vendor): string {
  const where = paths.map((path) => `<code>${path}</code>`).join(' ')
  return `<tr><th scope="row">${escapeHtml(title)}</th><td>${escapeHtml(description)}</td><td>${where}</td></tr>`
}

function cardRow({ number, label }: TestCard): string {
  const spaced = number.replace(/(\d{4})(?=\d)/g, '$1 ')
  return `<tr><th scope="row"><code>${spaced}</code></th><td>${escapeHtml(label)}</td></tr>`
}

function showSection(catalogue: Catalogue, show: Show): string {
  const episodes = show.episodes.map((episode) => episodeItem(catalogue, show, episode)).join('\n')
  return `<section id="${escapeHtml(show.slug)}" class="show">
<img src="${artworkUrl(catalogue, show, 72)}" alt="" width="72" height="72">
<div><h3>${escapeHtml(show.title)}</h3>
<p>${escapeHtml(show.description)} <a href="${feedUrl(catalogue, show)}">Feed</a></p>
<details><summary>${show.episodes.length} episodes</summary><ul>${episodes}</ul></details></div>
</section>`
}

function episodeItem(catalogue: Catalogue, show: Show, episode: Episode): string {
  const { url } = enclosureOf(catalogue, show, episode)
  return `<li><a href="${escapeHtml(url)}">${escapeHtml(episode.title)}</a> ${episode.descriptionHtml.replace(/<[^>]*>/g, ' ')}</li>`
}
