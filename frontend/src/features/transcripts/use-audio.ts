import { useEffect, useRef, useState } from 'react'

export const playbackRates = [1, 1.2, 1.5, 2] as const

export type AudioState = {
  isPlaying: boolean
  currentSeconds: number
  /** Null until the audio says it. */
  durationSeconds: number | null
  rate: number
  hasFailed: boolean
}

const atRest: AudioState = {
  isPlaying: false,
  currentSeconds: 0,
  durationSeconds: null,
  rate: 1,
  hasFailed: false,
}

export type AudioControls = {
  toggle: () => void
  /** Seconds, from the beginning. */
  playFrom: (seconds: number) => void
  /** Seconds, from the beginning. */
  seek: (seconds: number) => void
  /** Seconds, forwards or backwards. */
  skip: (seconds: number) => void
  nextRate: () => void
}

/** A refusal to play comes as an error event too, which is where it is shown. */
function play(element: HTMLAudioElement): void {
  element.play().catch(() => undefined)
}

/** One HTML audio element and what it is doing. Nothing is fetched but the length before it is played; with `none`, nothing. */
export function useAudio(
  url: string,
  preload: 'metadata' | 'none' = 'metadata',
): { state: AudioState; controls: AudioControls } {
  const [state, setState] = useState(atRest)
  const audio = useRef<HTMLAudioElement | null>(null)

  useEffect(() => {
    const element = new Audio()
    element.preload = preload
    element.src = url
    audio.current = element
    const update = () => {
      setState({
        isPlaying: !element.paused && !element.ended,
        currentSeconds: element.currentTime,
        durationSeconds: Number.isFinite(element.duration) ? element.duration : null,
        rate: element.playbackRate,
        hasFailed: element.error !== null,
      })
    }
    const events = ['play', 'pause', 'ended', 'timeupdate', 'seeked', 'durationchange', 'ratechange', 'error']
    for (const event of events) element.addEventListener(event, update)
    return () => {
      for (const event of events) element.removeEventListener(event, update)
      element.pause()
      element.removeAttribute('src')
      element.load()
      audio.current = null
    }
  }, [url, preload])

  const seek = (seconds: number) => {
    const element = audio.current
    if (element === null) return
    const end = Number.isFinite(element.duration) ? element.duration : Number.POSITIVE_INFINITY
    element.currentTime = Math.min(end, Math.max(0, seconds))
  }
  const [controls] = useState<AudioControls>(() => ({
    toggle: () => {
      const element = audio.current
      if (element === null) return
      if (element.paused) play(element)
      else element.pause()
    },
    playFrom: (seconds) => {
      seek(seconds)
      if (audio.current !== null) play(audio.current)
    },
    seek,
    skip: (seconds) => seek((audio.current?.currentTime ?? 0) + seconds),
    nextRate: () => {
      const element = audio.current
      if (element === null) return
      const at = playbackRates.findIndex((rate) => rate === element.playbackRate)
      element.playbackRate = playbackRates[(at + 1) % playbackRates.length] ?? 1
    },
  }))

  return { state, controls }
}
