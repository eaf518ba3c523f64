import { Module } from '@nestjs/common'
import { CreateTranscriptHandler } from './create-transcript/create-transcript.handler.ts'
import { StartTranscription } from './create-transcript/start-transcription.ts'
import { GetTranscriptHandler } from './get-transcript/get-transcript.handler.ts'
import { ListTranscriptsHandler } from './list-transcripts/list-transcripts.handler.ts'
import { SweepTranscripts } from './sweep-transcripts/sweep-transcripts.ts'
import { TranscriptsController } from './transcripts.controller.ts'

@Module({
  controllers: [TranscriptsController],
  providers: [
    CreateTranscriptHandler,
    GetTranscriptHandler,
    ListTranscriptsHandler,
    StartTranscription,
    SweepTranscripts,
  ],
})
export class TranscriptsModule {}
