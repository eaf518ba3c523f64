import { useEffect, useEffectEvent } from 'react'
import { type PlayerCommand, playerCommand } from './player-keys.ts'

function kindOf(target: EventTarget | null): 'text' | 'control' | 'slider' | 'page' {
  if (!(target instanceof HTMLElement)) return 'page'
  if (target.closest('[role="slider"]') !== null) return 'slider'
  if (
    target.closest('input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]') !==
    null
  ) {
    return 'text'
  }
  return target.closest('button, a, [role="button"]') === null ? 'page' : 'control'
}

/** Listens on the whole page while the player is on it. */
export function usePlayerKeys(onCommand: (command: PlayerCommand) => void): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    const command = playerCommand({
      key: event.key,
      isModified: event.ctrlKey || event.metaKey || event.altKey,
      target: kindOf(event.target),
    })
    if (command === null) return
    event.preventDefault()
    onCommand(command)
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
