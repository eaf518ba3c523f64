import type { ColumnType, Generated } from 'kysely'
import type { SummaryType } from '@earmark/contracts/summary-content'
import type { Segment } from '@earmark/contracts/transcripts'
import type { PaymentOutcome } from '@earmark/contracts/workflows'

/** Tables that are read or written through Kysely; `migrations/` is where they are made. bigint columns arrive as numbers. */
export type Schema = {
  users: {
    id: string
    email: string
    password_hash: string
    created_at: Generated<Date>
    updated_at: Generated<Date>
    last_sign_in_at: Date | null
  }
  sessions: { id: string; user_id: string; created_at: Generated<Date> }
  refresh_tokens: {
    id: string
    session_id: string
    parent_id: string | null
    token_hash: Buffer
    created_at: Generated<Date>
    rotated_at: Date | null
  }
  signing_keys: {
    kid: string
    private_jwk: ColumnType<Record<string, unknown>, string, never>
    created_at: Generated<Date>
  }
  used_challenges: { solution_hash: Buffer; expires_at: Date }
  feeds: {
    id: string
    url: string
    slug: string
    title: string
    description: string
    image: string
    artwork: string
    link: string
    original_url: string
    etag: string | null
    last_modified: string | null
    fetched_at: Date | null
    content_hash: Buffer | null
  }
  episodes: {
    feed_id: string
    id: string
    title: string
    description: string
    published_at: Date | null
    duration_seconds: number | null
    filesize_bytes: number | null
    audio_url: string | null
    place: number
  }
  transcripts: {
    id: string
    user_id: string
    episode_id: string
    episode_title: string | null
    podcast_title: string | null
    audio_url: string
    claimed_duration_seconds: number | null
    duration_seconds: number | null
    status: 'pending' | 'processing' | 'completed' | 'failed' | 'refused'
    message: string | null
    progress_percent: number | null
    charged_microcredits: number | null
    text: string | null
    segments: ColumnType<Segment[] | null, string | null, string | null>
    word_count: number | null
    tags: Generated<string[]>
    is_archived: Generated<boolean>
    request_id: string
    created_at: Generated<Date>
    claimed_at: Date | null
    given_up_at: Date | null
    finished_at: Date | null
  }
  summaries: {
    id: string
    transcript_id: string
    user_id: string
    summary_type: SummaryType
    status: 'pending' | 'processing' | 'completed' | 'failed' | 'refused'
    message: string | null
    progress_percent: number | null
    content: ColumnType<Record<string, unknown> | null, string | null, string | null>
    request_id: string
    created_at: Generated<Date>
    claimed_at: Date | null
    given_up_at: Date | null
    finished_at: Date | null
  }
  summary_notes: { summary_id: string; part: number; notes: ColumnType<unknown, string, string> }
  credit_packages: {
    id: string
    name: string
    description: string | null
    credits_microcredits: number
    price_cents: number
    discount_percent: number
    is_offered: boolean
    position: number
  }
  payments: {
    id: string
    /** Null until the card provider has answered. */
    session_id: string | null
    user_id: string
    package_id: string
    package_name: string
    package_description: string | null
    credits_microcredits: number
    price_cents: number
    currency: string
    status: PaymentOutcome
    is_settling: Generated<boolean>
    is_reusable: Generated<boolean>
    customer_email: string | null
    payment_intent_id: string | null
    request_id: string
    created_at: Generated<Date>
    expires_at: Date
    looked_at: Date | null
    next_look_at: Date
    credited_at: Date | null
    receipt_sent_at: Date | null
  }
  projection_checkpoints: { projection: string; position: number }
  credit_accounts: {
    account_id: string
    revision: number
    balance_microcredits: number
    owed_microcredits: number
  }
  credit_transactions: {
    account_id: string
    revision: number
    event_id: string
    operation_id: string
    transaction_type: 'deduct' | 'add' | 'refund'
    operation_type: string
    amount_microcredits: number
    balance_after_microcredits: number
    description: string
    metadata: ColumnType<Record<string, unknown>, string, string>
    created_at: Date
    refers_to: string | null
  }
}
