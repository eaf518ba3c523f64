/**
 * One believable answer of every call, typed by the contract: the mocks, the stories and the reference show the same world.
 * The shows are invented.
 */
import type { InferContractRouterOutputs } from '@orpc/contract'
import type { apiContract } from './api.ts'
import type { SpendingDay, Transaction } from './credits.ts'
import type { CreditPackage } from './payments.ts'
import type { Episode, Feed } from './podcasts.ts'
import type { Summary } from './summaries.ts'
import type { ActionPlan, SmartSummary, SummaryType, ThoughtProvoking } from './summary-content.ts'
import type { Segment, Transcript, TranscriptSummary } from './transcripts.ts'

export type ApiOutputs = InferContractRouterOutputs<typeof apiContract>

export const exampleFeeds = [
  {
    id: 'f1a6c0de-harbour',
    title: 'The Harbour Log',
    description:
      'Stories from the coast, told by the people who kept the lights on. New every second Tuesday.',
    image: '',
    artwork: '',
    url: 'https://feeds.example.org/harbour-log.xml',
    originalUrl: 'https://feeds.example.org/harbour-log.xml',
    link: 'https://harbour.example.org/',
    is_favorited: false,
  },
  {
    id: 'f2b7d1ef-port',
    title: 'Port Authority',
    description: 'How the things you own crossed an ocean, one container at a time.',
    image: '',
    artwork: '',
    url: 'https://feeds.example.org/port-authority.xml',
    originalUrl: 'https://feeds.example.org/port-authority.xml',
    link: 'https://port.example.org/',
    is_favorited: false,
  },
  {
    id: 'f3c8e2f0-quiet',
    title: 'Quiet Water',
    description: 'Long conversations recorded on small boats.',
    image: '',
    artwork: '',
    url: 'https://feeds.example.org/quiet-water.xml',
    originalUrl: 'https://feeds.example.org/quiet-water.xml',
    link: 'https://quiet.example.org/',
    is_favorited: false,
  },
] as const satisfies Feed[]

export const exampleEpisodes = [
  {
    id: 'e1-lighthouses',
    title: 'Why lighthouses kept two logs',
    description: 'One book for the inspector, one for the keeper who came after. We read both, side by side.',
    published_at: '2026-11-17T06:00:00.000Z',
    duration_seconds: 192,
    filesize_mb: 3.1,
    audio_url: 'https://audio.example.org/harbour-log/two-logs.mp3',
  },
  {
    id: 'e2-salt-road',
    title: 'The salt road',
    description: 'A track that only exists at low tide, and the post that went over it for ninety years.',
    published_at: '2026-11-03T06:00:00.000Z',
    duration_seconds: 1834,
    filesize_mb: 28.4,
    audio_url: 'https://audio.example.org/harbour-log/salt-road.mp3',
  },
  {
    id: 'e3-unmeasured',
    title: 'What the fog bell said',
    description: '',
    published_at: null,
    duration_seconds: null,
    filesize_mb: null,
    audio_url: 'https://audio.example.org/harbour-log/fog-bell.mp3',
  },
  {
    id: 'e4-silent',
    title: 'A note to our listeners',
    description: 'We are back in spring.',
    published_at: '2026-10-20T06:00:00.000Z',
    duration_seconds: null,
    filesize_mb: null,
    audio_url: null,
  },
] as const satisfies Episode[]

export const exampleSegments: Segment[] = [
  {
    start_seconds: 41.2,
    end_seconds: 48.9,
    text: 'The inspector came twice a year, and he read only what was in the blue book.',
  },
  {
    start_seconds: 48.9,
    end_seconds: 58.1,
    text: 'So the blue book was tidy. Weather, oil, ships. Nothing that would have made trouble for anyone.',
  },
  {
    start_seconds: 58.1,
    end_seconds: 69.4,
    text: 'Every keeper wrote the night down twice. One book for the harbour, and one for the keeper who came after.',
  },
  {
    start_seconds: 69.4,
    end_seconds: 77.3,
    text: 'The second book was never inspected, which is why it is the one we trust.',
  },
  {
    start_seconds: 77.3,
    end_seconds: 86.6,
    text: 'You find the fog there, and the arguments, and once, in a shaking hand, a birth.',
  },
  {
    start_seconds: 86.6,
    end_seconds: 95.2,
    text: 'I asked the archive why nobody had copied them out. They said nobody had asked.',
  },
  {
    start_seconds: 95.2,
    end_seconds: 106.8,
    text: 'So for three winters I sat in a cold room with a lamp and two books, and read the same nights twice.',
  },
  {
    start_seconds: 106.8,
    end_seconds: 119.5,
    text: 'In the blue book the fourth of March is a calm night. In the other one, four people drown within sight of the light.',
  },
  {
    start_seconds: 119.5,
    end_seconds: 131,
    text: 'Nobody lied. The form had no line for it. A record keeps what it has a line for.',
  },
  {
    start_seconds: 131,
    end_seconds: 144.2,
    text: 'The keepers knew that, and so they made a second form, with one line, as long as the page.',
  },
]

const exampleTranscriptSummary: TranscriptSummary = {
  id: '0b7f4c62-3f1d-4a43-9b63-0f6f8f6f2a01',
  episode_id: 'e1-lighthouses',
  episode_title: 'Why lighthouses kept two logs',
  podcast_title: 'The Harbour Log',
  audio_url: 'https://audio.example.org/harbour-log/two-logs.mp3',
  duration_seconds: 192,
  status: 'completed',
  error_message: null,
  word_count: 428,
  tags: [],
  is_archived: false,
  created_at: '2026-11-20T18:04:00.000Z',
  summary_count: 0,
}

export const exampleTranscript: Transcript = {
  ...exampleTranscriptSummary,
  text: exampleSegments.map((segment) => segment.text).join(' '),
  segments: exampleSegments,
  progress_percent: 100,
  charged_credits: 0.04,
}

/** What it looks like before it is done: no words yet. */
const unfinished: Pick<Transcript, 'text' | 'segments' | 'word_count'> = {
  text: null,
  segments: [],
  word_count: null,
}

export const examplePendingTranscript: Transcript = {
  ...exampleTranscript,
  ...unfinished,
  status: 'pending',
  progress_percent: null,
}

export const exampleProcessingTranscript: Transcript = {
  ...exampleTranscript,
  ...unfinished,
  status: 'processing',
  error_message: 'Transcribing 3 of 12',
  progress_percent: 25,
}

export const exampleFailedTranscript: Transcript = {
  ...exampleTranscript,
  ...unfinished,
  status: 'failed',
  error_message: "The episode's audio could not be downloaded: its address no longer answers.",
  progress_percent: null,
  charged_credits: 0,
}

export const exampleTransactions: Transaction[] = [
  {
    id: 't3',
    transaction_type: 'deduct',
    operation_type: 'transcription',
    amount: 0.04,
    balance_after: 4.37,
    description: 'Transcription of 4 minutes',
    created_at: '2026-11-20T18:04:00.000Z',
    metadata: {
      episode_title: 'Why lighthouses kept two logs',
      estimated_duration: 192,
      transcript_id: exampleTranscript.id,
    },
  },
  {
    id: 't2',
    transaction_type: 'refund',
    operation_type: 'transcription',
    amount: 0.31,
    balance_after: 4.41,
    description: 'The audio could not be read',
    created_at: '2026-11-20T17:51:00.000Z',
    metadata: { episode_title: 'The salt road', estimated_duration: 1834 },
  },
  {
    id: 't1',
    transaction_type: 'add',
    operation_type: 'grant',
    amount: 5,
    balance_after: 5,
    description: 'Welcome credits',
    created_at: '2026-11-12T20:40:00.000Z',
    metadata: {},
  },
]

export const exampleSmartSummary: SmartSummary = {
  title: 'Two logs, one light',
  one_sentence_overview:
    'Lighthouse keepers kept one book for the inspector and one for each other, and only the second is true to the night.',
  highlights: [
    {
      point: 'The record depends on who will read it.',
      quote: 'The second book was never inspected, which is why it is the one we trust.',
    },
    {
      point: 'Nobody had to lie for the truth to be lost.',
      quote: 'A record keeps what it has a line for.',
    },
    { point: 'The archive had both books all along.', quote: null },
  ],
  key_takeaways: [
    'Ask who a record was written for before you trust it.',
    'What a form has no line for is what it loses.',
  ],
}

export const exampleActionPlan: ActionPlan = {
  title: 'Keep a second log',
  next_steps: [
    {
      action: 'Look at one form you fill in every week',
      why_it_matters: 'What it has no line for is what your team forgets.',
      details: 'Write down three things of last week that had no place on it.',
      quote: 'The form had no line for it.',
      mentioned_tools: ['The blue book'],
    },
    {
      action: 'Start a book for whoever comes after you',
      why_it_matters: 'Notes for a successor are read by someone who needs them.',
      details: 'One page a week is enough. Nobody inspects it.',
      quote: null,
      mentioned_tools: null,
    },
  ],
  overall_takeaway: 'Keep one record that is written for the reader who comes after you.',
}

export const exampleThoughtProvoking: ThoughtProvoking = {
  title: 'What the form leaves out',
  deep_questions: [
    'Which of your records would tell another story if nobody inspected it?',
    'Is a record that is tidy and incomplete a lie?',
  ],
  rapid_fire_prompts: ['Who reads your blue book?', 'What has no line on your form?'],
  contextual_insight:
    'The keepers did not argue with the form. They made a second one, with one line, as long as the page.',
}

const summaryDefaults = {
  transcript_id: exampleTranscript.id,
  created_at: '2026-11-20T18:12:00.000Z',
} as const

export const exampleSummaries = {
  smart_summary: {
    ...summaryDefaults,
    id: '5b0a7d1e-0f52-4c5b-8a63-6c1d0a5e7b01',
    summary_type: 'smart_summary',
    status: 'completed',
    progress_percent: 100,
    error_message: null,
    content: JSON.stringify(exampleSmartSummary),
  },
  action_plan: {
    ...summaryDefaults,
    id: '5b0a7d1e-0f52-4c5b-8a63-6c1d0a5e7b02',
    summary_type: 'action_plan',
    status: 'completed',
    progress_percent: 100,
    error_message: null,
    content: JSON.stringify(exampleActionPlan),
  },
  thought_provoking: {
    ...summaryDefaults,
    id: '5b0a7d1e-0f52-4c5b-8a63-6c1d0a5e7b03',
    summary_type: 'thought_provoking',
    status: 'completed',
    progress_percent: 100,
    error_message: null,
    content: JSON.stringify(exampleThoughtProvoking),
  },
} as const satisfies Record<SummaryType, Summary>

export const examplePendingSummary: Summary = {
  ...exampleSummaries.smart_summary,
  status: 'pending',
  progress_percent: null,
  content: null,
}

export const exampleProcessingSummary: Summary = {
  ...examplePendingSummary,
  status: 'processing',
  progress_percent: 40,
}

export const exampleFailedSummary: Summary = {
  ...examplePendingSummary,
  status: 'failed',
  error_message: 'The language model did not answer. Your credits are back.',
}

export const examplePackages: CreditPackage[] = [
  {
    id: 'starter',
    name: 'Starter',
    description: 'About 8 hours of audio',
    credits: 5,
    price: 5,
    discount_percent: 0,
  },
  {
    id: 'regular',
    name: 'Regular',
    description: 'About 33 hours of audio',
    credits: 20,
    price: 18,
    discount_percent: 10,
  },
  {
    id: 'studio',
    name: 'Studio',
    description: null,
    credits: 50,
    price: 40,
    discount_percent: 20,
  },
]

/** 30 days up to the day of the latest transaction. */
export const exampleSpending: SpendingDay[] = Array.from({ length: 30 }, (_, day) => ({
  date: new Date(Date.UTC(2026, 9, 22 + day)).toISOString().slice(0, 10),
  spent: day % 4 === 1 ? 0 : Math.round(((day * 37) % 90) + 4) / 100,
}))

/** Unsigned tokens: enough for a client that reads only when they expire. */
const exampleAccessToken = [
  { alg: 'none', typ: 'JWT' },
  {
    sub: 'b3f1f0a2-6d7e-4a51-8f0e-2c1d5a7e9b10',
    exp: 4_102_444_800,
    aud: 'authenticated',
    role: 'authenticated',
  },
]
  .map((part) => btoa(JSON.stringify(part)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_'))
  .concat('c2lnbmF0dXJl')
  .join('.')

export const apiExamples: ApiOutputs = {
  identity: {
    signUp: { message: 'Account created successfully! You can now sign in.' },
    signIn: {
      access_token: exampleAccessToken,
      refresh_token: 'exampler3fr3',
      expires_in: 3600,
      expires_at: 4_102_444_800,
      token_type: 'bearer',
    },
    challenge: {
      parameters: {
        algorithm: 'PBKDF2/SHA-256',
        cost: 100,
        keyLength: 32,
        keyPrefix: '30d06611a3c12fec00b64e07bea3cb1a',
        keySignature: 'a50df75ae377418a740bf6f6d11a1f2c5344503c9c5ddf6003893bf6bdfad3a7',
        nonce: '387ac20675cb8f9929e10b351273572f',
        salt: 'd7d650dae7f9034c541537428cb2c87e',
      },
      signature: '8b731b24aa3b262d4af4cd9332e7a637223b81cb88faa3e174932623cfa6b25a',
    },
    challengeSettings: { provider: 'altcha' },
  },
  podcasts: {
    search: { feeds: [...exampleFeeds] },
    episodes: {
      podcast: exampleFeeds[0],
      episodes: [...exampleEpisodes],
      has_more: false,
      total: exampleEpisodes.length,
      next_offset: null,
    },
  },
  transcripts: {
    create: examplePendingTranscript,
    get: exampleTranscript,
    getSaved: exampleTranscript,
    list: { transcripts: [exampleTranscriptSummary], total: 1 },
  },
  summaries: {
    create: examplePendingSummary,
    get: exampleSummaries.smart_summary,
    ofTranscript: { summaries: Object.values(exampleSummaries) },
  },
  credits: {
    balance: { balance: 4.37 },
    statement: {
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-12-01T00:00:00.000Z',
      opening_balance: 5,
      opening_owed: 0,
      lines: [
        {
          at: '2026-11-20T18:04:00.000Z',
          operation_id: 'a1f0',
          transaction_type: 'deduct',
          operation_type: 'transcription',
          description: 'Transcription, 4 min',
          amount: -0.04,
          balance_after: 4.96,
          owed_after: 0,
        },
      ],
      closing_balance: 4.96,
      closing_owed: 0,
    },
    estimate: {
      operation_type: 'transcription',
      estimated_cost: 0.04,
      factors: { duration_seconds: 192 },
    },
    checkSufficient: {
      sufficient: true,
      required_credits: 0.04,
      available_credits: 4.37,
      missing_credits: 0,
    },
    transactions: { transactions: exampleTransactions, has_more: false },
    spending: { days: exampleSpending },
    pricing: {
      pricing: [
        {
          operation_type: 'transcription',
          credits: 0.01,
          unit: 'started_minute',
          description: 'Each started minute of audio',
        },
        { operation_type: 'summary', credits: 0.05, unit: 'summary', description: 'Each AI summary' },
      ],
    },
  },
  payments: {
    packages: { packages: examplePackages },
    createCheckoutSession: {
      publishable_key: 'pk_test_example',
      client_secret: 'cs_test_example_secret_example',
      session_id: 'cs_test_example',
      stripe_js_url: null,
    },
    sessionStatus: { status: 'complete', customer_email: 'ana@example.org', detail: null },
    completePayment: { status: 'complete', customer_email: 'ana@example.org', detail: null },
  },
  health: {
    live: { status: 'ok' },
    ready: { status: 'ready', parts: [{ name: 'postgres', ready: true }] },
  },
}
