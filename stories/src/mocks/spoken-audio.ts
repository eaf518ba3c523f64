import { http, HttpResponse } from 'msw'

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

/** The example episode's audio, at its own address, in parts where the browser asks for them: only so can it seek. */
export const audioHandler = http.get('https://audio.example.org/*', ({ request }) => {
  const audio = wavOf(192)
  const range = /bytes=(\d+)-(\d*)/.exec(request.headers.get('range') ?? '')
  const headers = { 'content-type': 'audio/wav', 'accept-ranges': 'bytes' }
  if (range === null) return HttpResponse.arrayBuffer(audio, { headers })
  const from = Number(range[1])
  const to = range[2] === '' ? audio.byteLength - 1 : Number(range[2])
  return HttpResponse.arrayBuffer(audio.slice(from, to + 1), {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${from}-${to}/${audio.byteLength}` },
  })
})
