/** Finds the speech model on this machine, or fetches it once. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fetchVerified, type DownloadProgress } from './download.ts'

/**
 * whisper.cpp's published models at one fixed revision, 5 bits a weight, with the checksums that its page lists:
 * https://huggingface.co/ggerganov/whisper.cpp/tree/5359861c739e955e79d9a303bcbc70fb988958b1
 */
const publishedAt =
  'https://huggingface.co/ggerganov/whisper.cpp/resolve/5359861c739e955e79d9a303bcbc70fb988958b1'
export const publishedModels: Record<string, { quantization: string; sha256: string }> = {
  tiny: { quantization: 'q5_1', sha256: '818710568da3ca15689e31a743197b520007872ff9576237bda97bd1b469c3d7' },
  'tiny.en': {
    quantization: 'q5_1',
    sha256: 'c77c5766f1cef09b6b7d47f21b546cbddd4157886b3b5d6d4f709e91e66c7c2b',
  },
  base: { quantization: 'q5_1', sha256: '422f1ae452ade6f30a004d7e5c6a43195e4433bc370bf23fac9cc591f01a8898' },
  'base.en': {
    quantization: 'q5_1',
    sha256: '4baf70dd0d7c4247ba2b81fafd9c01005ac77c2f9ef064e00dcf195d0e2fdd2f',
  },
  small: { quantization: 'q5_1', sha256: 'ae85e4a935d7a567bd102fe55afc16bb595bdb618e11b2fc7591bc08120411bb' },
  'small.en': {
    quantization: 'q5_1',
    sha256: 'bfdff4894dcb76bbf647d56263ea2a96645423f1669176f4844a1bf8e478ad30',
  },
  medium: {
    quantization: 'q5_0',
    sha256: '19fea4b380c3a618ec4723c3eef2eb785ffba0d0538cf43f8f235e7b3b34220f',
  },
  'medium.en': {
    quantization: 'q5_0',
    sha256: '76733e26ad8fe1c7a5bf7531a9d41917b2adc0f20f2e4f5531688a8c6cd88eb0',
  },
  'large-v3-turbo': {
    quantization: 'q5_0',
    sha256: '394221709cd5ad1f40c46e6031ca61bce88931e6e088c188294c6d5a55ffa7e2',
  },
}

export type ModelRequest = {
  /** A path, or a name such as `base`. */
  model: string
  /** Where fetched models are kept; shared by every checkout of this user. */
  cacheFolder: string
  /** Another folder that may hold models; never written. */
  modelsFolder?: string | undefined
  onProgress?: ((progress: DownloadProgress & { name: string }) => void) | undefined
  /** Where the published models are; another place in tests. */
  baseUrl?: string | undefined
}

export type SpeechModel = {
  path: string
  /** Such as `base` or `tiny.en`; what a client sends as `model`. */
  name: string
  /** Why this is not the model that was asked for. */
  insteadBecause?: string
}

/** No model can be had: the message says why and how to add one. */
export class NoSpeechModelError extends Error {
  override readonly name = 'NoSpeechModelError'
}

/** EARMARK_CACHE, or the platform's folder for what can be fetched again. */
export const cacheFolder = (env: NodeJS.ProcessEnv = process.env): string => {
  if (env.EARMARK_CACHE) return path.resolve(env.EARMARK_CACHE)
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches', 'earmark')
  return path.join(env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'earmark')
}

/**
 * The model that was asked for: a path, one that lies in either folder, or the published one, fetched. Where it
 * cannot be fetched, any model that lies in either folder. Throws NoSpeechModelError where there is none.
 */
export const resolveModel = async (request: ModelRequest): Promise<SpeechModel> => {
  const { model } = request
  if (model.endsWith('.bin') || model.includes(path.sep)) {
    if (existsSync(model)) return { path: path.resolve(model), name: nameOf(model) }
    throw new NoSpeechModelError(`SPEECH_MODEL names a file that does not exist: ${model}`)
  }

  const present = await modelsIn([request.modelsFolder, request.cacheFolder])
  const found = present.find(({ name }) => name === model)
  if (found) return found
  try {
    return { path: await fetchPublished(request), name: model }
  } catch (error) {
    const reason = reasonOf(error)
    const [instead] = present
    if (instead)
      return { ...instead, insteadBecause: `the model '${model}' could not be fetched (${reason})` }
    throw new NoSpeechModelError(
      `The speech model '${model}' could not be fetched (${reason}), and there is none in ` +
        `${[request.cacheFolder, request.modelsFolder].filter(Boolean).join(' or ')}. To add one, put a whisper.cpp model ` +
        `such as ggml-base-q5_1.bin into ${request.cacheFolder}, or set EARMARK_MODELS to a folder that has one.`,
    )
  }
}

// ggml-base.bin, ggml-base-q5_1.bin: the same model, more or less finely kept.
const modelFile = /^ggml-(.+?)(?:-q\d_\d)?\.bin$/

const nameOf = (file: string) => modelFile.exec(path.basename(file))?.[1] ?? path.basename(file, '.bin')

const modelsIn = async (folders: (string | undefined)[]): Promise<SpeechModel[]> => {
  const models: SpeechModel[] = []
  for (const folder of folders) {
    if (!folder) continue
    const files = await readdir(folder).catch(() => [])
    for (const file of files.filter((name) => modelFile.test(name)).sort()) {
      models.push({ path: path.resolve(folder, file), name: nameOf(file) })
    }
  }
  return models
}

const fetchPublished = async ({ model, cacheFolder, onProgress, baseUrl = publishedAt }: ModelRequest) => {
  const known = publishedModels[model]
  if (!known) throw new Error(`the names known are ${Object.keys(publishedModels).join(', ')}`)
  const fileName = `ggml-${model}-${known.quantization}.bin`
  return fetchVerified({
    url: `${baseUrl}/${fileName}`,
    sha256: known.sha256,
    target: path.join(cacheFolder, fileName),
    onProgress: (progress) => onProgress?.({ name: model, ...progress }),
  })
}

// fetch() says only 'fetch failed' and keeps the reason in its cause.
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
