import 'altcha/altcha.css'
import 'altcha/external'
import 'altcha/types/react'
import Pbkdf2Worker from 'altcha/workers/pbkdf2?worker'
import { useEffect, useEffectEvent, useRef } from 'react'
import './altcha-theme.css'

// The worker as a file of our own: the bundled one is a blob, which a strict content security policy refuses.
$altcha.algorithms.set('PBKDF2/SHA-256', () => new Pbkdf2Worker())

const configuration = JSON.stringify({ hideLogo: true, hideFooter: true, humanInteractionSignature: false })

/** ALTCHA's proof of work: solved by the browser as soon as the form is there. The default export is for `lazy`. */
export default function AltchaChallenge({ onToken }: { onToken: (token: string | null) => void }) {
  const widget = useRef<HTMLElement>(null)
  const handleStateChange = useEffectEvent((event: Event) => {
    const { state, payload } = (event as CustomEvent<{ state: string; payload?: string }>).detail
    onToken(state === 'verified' && payload !== undefined ? payload : null)
  })

  useEffect(() => {
    const element = widget.current
    const listener = (event: Event) => handleStateChange(event)
    element?.addEventListener('statechange', listener)
    return () => element?.removeEventListener('statechange', listener)
  }, [])

  return (
    <altcha-widget
      ref={widget}
      auto="onload"
      challenge={`${window.location.origin}/v1/auth/challenge`}
      configuration={configuration}
      language="en"
    />
  )
}
