import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker, type WorkflowBundle } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const sourceFolder = import.meta.dirname
const historiesFolder = path.resolve(sourceFolder, '../histories')

/** How each of these ended was recorded from real runs: RECORD_HISTORIES=1 with the backend's transcribe.int.spec. */
const recorded = [
  'success',
  'every-activity-twice',
  'failure-and-refund',
  'timeout',
  'cancel',
  'worker-lost',
] as const

describe('histories of transcribeEpisode', () => {
  let bundle: WorkflowBundle

  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) })
    bundle = await bundleOf(path.join(sourceFolder, 'all-workflows.ts'))
  })

  it('are all there, and no other', async () => {
    const files = (await readdir(historiesFolder)).sort()
    expect(files).toEqual(recorded.map((name) => `transcribe-episode.${name}.history.json`).sort())
  })

  it.each(recorded)('replay: %s', async (name) => {
    await Worker.runReplayHistory({ workflowBundle: bundle }, await historyOf(name))
  })

  describe('of a workflow whose steps were reordered', () => {
    let folder: string

    beforeAll(async () => {
      // Beside the real one, so that its imports are found.
      folder = await mkdtemp(path.join(sourceFolder, '.reordered-'))
    })

    afterAll(() => rm(folder, { recursive: true }))

    it('do not replay', async () => {
      const workflow = await readFile(path.join(sourceFolder, 'transcribe-episode.workflow.ts'), 'utf8')
      const settle =
        /\n {4}const \{ chargedMicrocredits \} = await settleTranscription\([\s\S]*?\n {4}\}\)\n/.exec(
          workflow,
        )?.[0]
      const split = /\n {4}const \{ chunks \} = await splitAudio\(.*\)\n/.exec(workflow)?.[0]
      if (settle === undefined || split === undefined)
        throw new Error('The steps that are swapped here are not found')
      const swapped = workflow.replace(settle, '<settle>').replace(split, settle).replace('<settle>', split)
      const file = path.join(folder, 'reordered.ts')
      await writeFile(file, swapped.replace("'./activities.ts'", "'../activities.ts'"))
      await expect(
        Worker.runReplayHistory({ workflowBundle: await bundleOf(file) }, await historyOf('success')),
      ).rejects.toThrow(/[Nn]ondeterminism/)
    })
  })
})

async function historyOf(name: string): Promise<unknown> {
  return JSON.parse(
    await readFile(path.join(historiesFolder, `transcribe-episode.${name}.history.json`), 'utf8'),
  )
}

function bundleOf(workflowsPath: string): Promise<WorkflowBundle> {
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR', () => undefined) })
}
