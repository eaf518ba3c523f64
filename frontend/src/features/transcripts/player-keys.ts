export type PlayerCommand = { do: 'toggle' } | { do: 'skip'; seconds: number } | { do: 'search' }

const skipSeconds = 5
const longSkipSeconds = 10

const commands: Record<string, PlayerCommand> = {
  ' ': { do: 'toggle' },
  k: { do: 'toggle' },
  j: { do: 'skip', seconds: -longSkipSeconds },
  l: { do: 'skip', seconds: longSkipSeconds },
  arrowleft: { do: 'skip', seconds: -skipSeconds },
  arrowright: { do: 'skip', seconds: skipSeconds },
  '/': { do: 'search' },
}

type Pressed = { key: string; isModified: boolean; target: 'text' | 'control' | 'slider' | 'page' }

/** What a key does. Keys that the focused element needs for itself stay its own. */
export function playerCommand({ key, isModified, target }: Pressed): PlayerCommand | null {
  const pressed = key.toLowerCase()
  if (isModified || target === 'text') return null
  if (target === 'control' && pressed === ' ') return null
  if (target === 'slider' && pressed.startsWith('arrow')) return null
  return commands[pressed] ?? null
}
