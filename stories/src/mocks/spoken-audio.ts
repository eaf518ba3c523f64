import { bypass, http, HttpResponse } from 'msw'

const sampleRate = 8_000

/** A WAV of pulses at the pace of speech: something real to decode, play and draw. */
function wavOf(durationSeconds: number): ArrayBuffer {
  const count = sampleRate * durationSeconds
  const buffer = new ArrayBuffer(44 + count)
  const view = new DataView(buffer)
  const write = (at: number, text: string) => {
    for (let index = 0; index < text.length; index += 1) view.setUint8(at + index, text.charCodeAt(index))
  }
  write(0, 'RIFF')
  view.setUint32(4, 36 + count, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  write(36, 'data')
  view.setUint32(40, count, true)
  for (let index = 0; index < count; index += 1) {
    const seconds = index / sampleRate
    const pace =
      Math.abs(Math.sin(seconds * 0.9) * Math.cos(seconds * 0.37)) * Math.abs(Math.sin(seconds * 2.3))
    view.setUint8(44 + index, 128 + Math.round(60 * pace * Math.sin(seconds * 1100)))
  }
  return buffer
}

/** In parts where the browser asks for them: only so can it seek. */
function inParts(request: Request, audio: ArrayBuffer, contentType: string) {
  const range = /bytes=(\d+)-(\d*)/.exec(request.headers.get('range') ?? '')
  const headers = { 'content-type': contentType, 'accept-ranges': 'bytes' }
  if (range === null) return HttpResponse.arrayBuffer(audio, { headers })
  const from = Number(range[1])
  const to = range[2] === '' ? audio.byteLength - 1 : Number(range[2])
  return HttpResponse.arrayBuffer(audio.slice(from, to + 1), {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${from}-${to}/${audio.byteLength}` },
  })
}

/** The example episode's audio, at its own address. */
export const audioHandler = http.get('https://audio.example.org/*', ({ request }) =>
  inParts(request, wavOf(192), 'audio/wav'),
)

/** The landing page's own sample: passed on by the worker it would come whole, and could not be sought in. */
export const sampleHandler = http.get('*/sample/*.mp3', async ({ request }) => {
  const file = await fetch(bypass(request.url))
  return inParts(request, await file.arrayBuffer(), 'audio/mpeg')
})
