import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker, type WorkflowBundle } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const sourceFolder = import.meta.dirname
const historiesFolder = path.resolve(sourceFolder, '../histories')

/**
 * How each of these ended was recorded from real runs: RECORD_HISTORIES=1 with the backend's integration specs.
 * `steps` are two neighbours in the source whose swap must be noticed.
 */
const workflows = [
  {
    name: 'transcribe-episode',
    endings: ['success', 'every-activity-twice', 'failure-and-refund', 'timeout', 'cancel', 'worker-lost'],
    steps: [
      /\n {4}const \{ chargedMicrocredits \} = await settleTranscription\([\s\S]*?\n {4}\}\)\n/,
      /\n {4}const \{ chunks \} = await splitAudio\(.*\)\n/,
    ],
  },
  {
    name: 'summarise-transcript',
    endings: ['success', 'every-activity-twice', 'failure-and-refund', 'timeout', 'cancel', 'worker-lost'],
    steps: [
      /\n {4}await untilUsable\(\(complaint\) => writeSummary\(.*\)\n/,
      /\n {4}await saveSummary\(.*\)\n/,
    ],
  },
  {
    name: 'confirm-payment',
    endings: [
      'success',
      'every-activity-twice',
      'failed',
      'expired',
      'review',
      'provider-down',
      'worker-lost',
      'asked-while-looking',
      'asked-during-receipt',
      'cancel',
    ],
    steps: [
      /\n {2}while \(outcome === 'open'[\s\S]*?\n {2}\}\n/,
      /\n {2}if \(outcome === 'credited'\) \{[\s\S]*?\n {2}\}\n/,
    ],
  },
] as const

let bundle: WorkflowBundle

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) })
  bundle = await bundleOf(path.join(sourceFolder, 'all-workflows.ts'))
})

it('has each history that is named here, and no other', async () => {
  const files = (await readdir(historiesFolder)).sort()
  expect(files).toEqual(workflows.flatMap(({ name, endings }) => endings.map(fileOf(name))).sort())
})

describe.each(workflows)('histories of $name', ({ name, endings, steps }) => {
  it.each(endings)('replay: %s', async (ending) => {
    await Worker.runReplayHistory({ workflowBundle: bundle }, await historyOf(name, ending))
  })

  describe('of a workflow whose steps were reordered', () => {
    let folder: string

    beforeAll(async () => {
      // Beside the real one, so that its imports are found.
      folder = await mkdtemp(path.join(sourceFolder, '.reordered-'))
    })

    afterAll(() => rm(folder, { recursive: true }))

    it('do not replay', async () => {
      const workflow = await readFile(path.join(sourceFolder, `${name}.workflow.ts`), 'utf8')
      const [first, second] = steps.map((step) => step.exec(workflow)?.[0])
      if (first === undefined || second === undefined)
        throw new Error('The steps that are swapped here are not found')
      const swapped = workflow
        .replace(first, () => '<first>')
        .replace(second, () => first)
        .replace('<first>', () => second)
      const file = path.join(folder, 'reordered.ts')
      await writeFile(file, swapped.replaceAll("from './", "from '../"))
      await expect(
        Worker.runReplayHistory({ workflowBundle: await bundleOf(file) }, await historyOf(name, 'success')),
      ).rejects.toThrow(/[Nn]ondeterminism/)
    })
  })
})

function fileOf(name: string) {
  return (ending: string) => `${name}.${ending}.history.json`
}

async function historyOf(name: string, ending: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(historiesFolder, fileOf(name)(ending)), 'utf8'))
}

function bundleOf(workflowsPath: string): Promise<WorkflowBundle> {
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR', () => undefined) })
}
