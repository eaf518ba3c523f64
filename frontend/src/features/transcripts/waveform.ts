/** The loudest moment of each of `count` equal parts, scaled so that the loudest of all is 1. */
export function peaksOf(samples: Float32Array, count: number): number[] {
  const partLength = samples.length / count
  const peaks = Array.from({ length: count }, (_, part) => {
    let peak = 0
    const end = Math.floor((part + 1) * partLength)
    for (let at = Math.floor(part * partLength); at < end; at += 1)
      peak = Math.max(peak, Math.abs(samples[at] ?? 0))
    return peak
  })
  const loudest = Math.max(...peaks)
  return loudest === 0 ? peaks : peaks.map((peak) => peak / loudest)
}
