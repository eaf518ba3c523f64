import type { Transcript, TranscriptStatus } from '@earmark/contracts/transcripts'
import { IconAlertTriangle, IconCircleCheck, IconClock, IconLoader2 } from '@tabler/icons-react'
import { formatCount, formatCredits, formatMinutes } from '../../ui/format.ts'
import { PageTitle } from '../../ui/Page.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import classes from './TranscriptHeader.module.css'

const badges = {
  pending: { tone: 'waiting', icon: IconClock, words: 'Pending' },
  processing: { tone: 'waiting', icon: IconLoader2, words: 'Processing' },
  completed: { tone: 'good', icon: IconCircleCheck, words: 'Transcript Complete' },
  failed: { tone: 'bad', icon: IconAlertTriangle, words: 'Failed' },
} as const satisfies Record<TranscriptStatus, unknown>

export function TranscriptHeader({ transcript }: { transcript: Transcript }) {
  const { tone, icon: Icon, words } = badges[transcript.status]
  const facts = [
    transcript.duration_seconds === null ? null : formatMinutes(transcript.duration_seconds),
    transcript.word_count === null ? null : formatCount(transcript.word_count, 'word', 'words'),
    transcript.charged_credits === null ? null : `${formatCredits(transcript.charged_credits)} credits`,
  ].filter((fact) => fact !== null)
  return (
    <header>
      <PageTitle>{transcript.episode_title ?? 'Untitled Episode'}</PageTitle>
      <div className={classes.facts}>
        <StatusBadge tone={tone} icon={<Icon size={18} stroke={1.75} aria-hidden />}>
          {words}
        </StatusBadge>
        <span>{facts.join(' · ')}</span>
      </div>
    </header>
  )
}
