/** Every vendor the sandbox can stand in for; a new one starts here. */
export const vendorNames = [
  'podcastindex',
  'itunes',
  'feeds',
  'audio',
  'transcription',
  'language',
  'stripe',
  'stripe_webhooks',
  'mail',
] as const
export type VendorName = (typeof vendorNames)[number]
