/** Speaks the recognizer's protocol without a model, and misbehaves as the file's name asks. */
import type { FromChild, ToChild } from '../src/recognizer.protocol.ts'

const tell = (message: FromChild) => process.send?.(message)

process.on('message', ({ job }: ToChild) => {
  if (job.fileName === 'crash') process.kill(process.pid, 'SIGKILL')
  if (job.fileName === 'hang') return
  const text = String(process.pid)
  tell({
    kind: 'recognized',
    transcript: { text, language: 'english', durationSeconds: 1, words: [], segments: [] },
  })
})
process.on('disconnect', () => process.exit(0))
tell({ kind: 'ready', isMultilingual: false })
