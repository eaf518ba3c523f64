import { audio } from './audio/audio.vendor.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import { feeds } from './feeds/feeds.vendor.ts'
import { itunes } from './itunes/itunes.vendor.ts'
import { language } from './language/language.vendor.ts'
import { mail } from './mail/mail.vendor.ts'
import type { Mailbox } from './mail/mailbox.ts'
import { podcastIndex } from './podcast-index/podcast-index.vendor.ts'
import type { StripeAccount } from './stripe/stripe-account.ts'
import { stripe, stripeWebhooks } from './stripe/stripe.vendor.ts'
import { transcription } from './transcription/transcription.vendor.ts'
import type { VendorName } from './vendor-name.ts'
import type { Vendor } from './vendor.ts'

/** What the vendors keep, each its own. */
export type VendorParts = { catalogue: Catalogue; account: StripeAccount; mailbox: Mailbox }

/** Every vendor, by its name; the compiler asks for one that is missing. */
export function openVendors({ catalogue, account, mailbox }: VendorParts): Record<VendorName, Vendor> {
  return {
    podcastindex: podcastIndex(catalogue),
    itunes: itunes(catalogue),
    feeds: feeds(catalogue),
    audio: audio(catalogue),
    transcription: transcription(catalogue),
    language: language(),
    stripe: stripe(account),
    stripe_webhooks: stripeWebhooks(),
    mail: mail(mailbox),
  }
}
