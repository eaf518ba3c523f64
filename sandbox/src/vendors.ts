import { audio } from './audio/audio.vendor.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import { feeds } from './feeds/feeds.vendor.ts'
import { itunes } from './itunes/itunes.vendor.ts'
import { podcastIndex } from './podcast-index/podcast-index.vendor.ts'
import { transcription } from './transcription/transcription.vendor.ts'
import type { Vendor, VendorName } from './vendor.ts'

/** Every vendor, by its name; the compiler asks for one that is missing. */
export function openVendors(catalogue: Catalogue): Record<VendorName, Vendor> {
  return {
    podcastindex: podcastIndex(catalogue),
    itunes: itunes(catalogue),
    feeds: feeds(catalogue),
    audio: audio(catalogue),
    transcription: transcription(catalogue),
  }
}
