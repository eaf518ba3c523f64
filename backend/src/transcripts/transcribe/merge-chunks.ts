import type { Segment } from '@earmark/contracts/transcripts'
import type { HeardChunk } from './heard-chunk.ts'

type Token = { text: string; normal: string; startSeconds: number; endSeconds: number; segment: string }

/** A run of equal words this long says where two chunks meet; a shorter one may be chance. */
const trustedRun = 2

/** How far a provider's word times may be off (seconds). */
const slack = 1

/**
 * Joins what was heard in chunks that overlap. The seam is laid where both heard the same words; where they agree on
 * none, in the middle of the overlap.
 */
export function mergeChunks(chunks: HeardChunk[]): { segments: Segment[]; text: string; wordCount: number } {
  let tokens: Token[] = []
  let endSeconds = 0
  for (const [index, chunk] of chunks.entries()) {
    const next = tokensOf(chunk, index)
    tokens = index === 0 ? next : join(tokens, next, chunk.startSeconds, endSeconds)
    endSeconds = chunk.endSeconds
  }
  const segments = toSegments(tokens)
  return { segments, text: segments.map((segment) => segment.text).join(' '), wordCount: tokens.length }
}

function join(before: Token[], after: Token[], overlapStart: number, overlapEnd: number): Token[] {
  const tailStart = before.findIndex((token) => token.startSeconds >= overlapStart - slack)
  const tail = tailStart < 0 ? [] : before.slice(tailStart)
  const headEnd = after.findIndex((token) => token.startSeconds > overlapEnd + slack)
  const head = headEnd < 0 ? after : after.slice(0, headEnd)

  const run = longestCommonRun(tail, head)
  if (run.length >= trustedRun) {
    const half = Math.ceil(run.length / 2)
    return [...before.slice(0, tailStart + run.inTail + half), ...after.slice(run.inHead + half)]
  }
  const seam = (overlapStart + overlapEnd) / 2
  return [
    ...before.filter((token) => token.startSeconds < seam),
    ...after.filter((token) => token.startSeconds >= seam),
  ]
}

function longestCommonRun(tail: Token[], head: Token[]): { inTail: number; inHead: number; length: number } {
  let best = { inTail: 0, inHead: 0, length: 0 }
  for (let inTail = 0; inTail < tail.length; inTail += 1) {
    for (let inHead = 0; inHead < head.length; inHead += 1) {
      let length = 0
      while (isSameWord(tail[inTail + length], head[inHead + length])) length += 1
      if (length > best.length) best = { inTail, inHead, length }
    }
  }
  return best
}

function isSameWord(a: Token | undefined, b: Token | undefined): boolean {
  return a !== undefined && b !== undefined && a.normal === b.normal
}

/** The words of a chunk's text, each with its time: the provider's where it gave one, else by its place in the segment. */
function tokensOf(chunk: HeardChunk, chunkIndex: number): Token[] {
  let nextWord = 0
  return chunk.segments.flatMap((segment, segmentIndex) => {
    const texts = segment.text.split(/\s+/).filter(Boolean)
    const length = segment.endSeconds - segment.startSeconds
    return texts.map((text, place): Token => {
      const normal = normalized(text)
      const heard = chunk.words
        .slice(nextWord, nextWord + 4)
        .findIndex((word) => normalized(word.text) === normal)
      const word = heard < 0 ? undefined : chunk.words[nextWord + heard]
      if (word) nextWord += heard + 1
      const byPlace = segment.startSeconds + (length * place) / texts.length
      return {
        text,
        normal,
        startSeconds: word?.startSeconds ?? byPlace,
        endSeconds: segment.endSeconds,
        segment: `${chunkIndex}.${segmentIndex}`,
      }
    })
  })
}

function normalized(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function toSegments(tokens: Token[]): Segment[] {
  const segments: (Segment & { key: string })[] = []
  for (const token of tokens) {
    const last = segments.at(-1)
    // A sentence that the seam cut in two is one again.
    const continues = last && (last.key === token.segment || !/[.!?…]["'”’)]?$/.test(last.text))
    const isSeam = last && last.key.split('.')[0] !== token.segment.split('.')[0]
    if (last && (last.key === token.segment || (isSeam && continues))) {
      last.text += ` ${token.text}`
      last.end_seconds = Math.max(last.end_seconds, token.endSeconds)
      last.key = token.segment
    } else {
      segments.push({
        key: token.segment,
        start_seconds: rounded(token.startSeconds),
        end_seconds: rounded(token.endSeconds),
        text: token.text,
      })
    }
  }
  return segments.map(({ key: _, ...segment }) => ({ ...segment, end_seconds: rounded(segment.end_seconds) }))
}

function rounded(seconds: number): number {
  return Math.max(0, Math.round(seconds * 100) / 100)
}
