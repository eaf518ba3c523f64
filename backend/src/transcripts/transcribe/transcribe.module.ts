import { Module } from '@nestjs/common'
import { LedgerModule } from '../../credits/credits.module.ts'
import { AudioStore } from '../../platform/audio-store/audio-store.ts'
import { Recogniser } from './recogniser.ts'
import { TranscribeActivities } from './transcribe.activities.ts'
import { TranscriptCharges } from './transcript-charges.ts'
import { TranscriptProgress } from './transcript-progress.ts'

/** The worker's part of a transcription. */
@Module({
  imports: [LedgerModule],
  providers: [TranscribeActivities, TranscriptCharges, TranscriptProgress, Recogniser, AudioStore],
})
export class TranscribeModule {}
