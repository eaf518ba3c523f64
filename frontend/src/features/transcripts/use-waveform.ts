import { skipToken, useQuery } from '@tanstack/react-query'
import { peaksOf } from './waveform.ts'

const barCount = 160
/** Speech keeps its shape at this rate, and an hour of it fits in memory no longer: above the limit there is a plain slider. */
const decodingRateHz = 8_000
const longestSeconds = 20 * 60

async function fetchPeaks(url: string, signal: AbortSignal): Promise<number[]> {
  const response = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' })
  if (!response.ok) throw new Error(`HTTP error! status: ${response.status}`)
  const context = new OfflineAudioContext(1, 1, decodingRateHz)
  const audio = await context.decodeAudioData(await response.arrayBuffer())
  return peaksOf(audio.getChannelData(0), barCount)
}

/** The audio's real peaks; undefined where it is too long, unknown in length, or its host shares it with no other site. */
export function useWaveform(url: string, durationSeconds: number | null): number[] | undefined {
  const mayDecode = durationSeconds !== null && durationSeconds <= longestSeconds
  const { data } = useQuery({
    queryKey: ['waveform', url],
    queryFn: mayDecode ? ({ signal }) => fetchPeaks(url, signal) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data
}
