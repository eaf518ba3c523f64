import { describe, expect, it } from 'vitest'
import { playerCommand } from './player-keys.ts'
import { peaksOf } from './waveform.ts'

const pressed = (key: string, target: 'text' | 'control' | 'slider' | 'page' = 'page', isModified = false) =>
  playerCommand({ key, target, isModified })

describe('a key', () => {
  it.each([
    [' ', { do: 'toggle' }],
    ['K', { do: 'toggle' }],
    ['j', { do: 'skip', seconds: -10 }],
    ['l', { do: 'skip', seconds: 10 }],
    ['ArrowLeft', { do: 'skip', seconds: -5 }],
    ['ArrowRight', { do: 'skip', seconds: 5 }],
    ['/', { do: 'search' }],
    ['x', null],
  ])('%j on the page does %j', (key, command) => {
    expect(pressed(key)).toEqual(command)
  })

  it('stays with the element that needs it', () => {
    expect(pressed('k', 'text')).toBeNull()
    expect(pressed(' ', 'control')).toBeNull()
    expect(pressed('ArrowLeft', 'slider')).toBeNull()
    expect(pressed('k', 'control')).toEqual({ do: 'toggle' })
  })

  it('with a modifier is the browser’s', () => {
    expect(pressed('l', 'page', true)).toBeNull()
  })
})

describe('the peaks of a sound', () => {
  it('are the loudest moments, the loudest of all being 1', () => {
    expect(peaksOf(new Float32Array([0, 0.25, -0.5, 0.1]), 2)).toEqual([0.5, 1])
  })

  it('of silence are nothing', () => {
    expect(peaksOf(new Float32Array(8), 2)).toEqual([0, 0])
  })
})
