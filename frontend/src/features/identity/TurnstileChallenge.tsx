import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Notice } from '../../ui/Notice.tsx'

type Turnstile = {
  render: (
    container: HTMLElement,
    options: {
      sitekey: string
      theme: 'auto'
      callback: (token: string) => void
      'expired-callback': () => void
      'error-callback': () => void
    },
  ) => string
  remove: (widgetId: string) => void
}

const scriptUrl = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'

let loading: Promise<Turnstile> | null = null

/** The vendor serves its script from its own host alone; it is fetched only where this challenge is configured. */
function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = scriptUrl
    script.async = true
    script.onload = () => {
      const { turnstile } = window as unknown as { turnstile?: Turnstile }
      if (turnstile === undefined) reject(new Error('Turnstile did not start'))
      else resolve(turnstile)
    }
    script.onerror = () => {
      loading = null
      reject(new Error('Turnstile could not be loaded'))
    }
    document.head.append(script)
  })
  return loading
}

type TurnstileChallengeProps = { siteKey: string; onToken: (token: string | null) => void }

/** Cloudflare Turnstile. The default export is for `lazy`. */
export default function TurnstileChallenge({ siteKey, onToken }: TurnstileChallengeProps) {
  const container = useRef<HTMLDivElement>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const handleToken = useEffectEvent(onToken)

  useEffect(() => {
    const element = container.current
    let widget: { turnstile: Turnstile; id: string } | null = null
    let isGone = false
    loadTurnstile().then(
      (turnstile) => {
        if (element === null || isGone) return
        const id = turnstile.render(element, {
          sitekey: siteKey,
          theme: 'auto',
          callback: (token) => handleToken(token),
          'expired-callback': () => handleToken(null),
          'error-callback': () => handleToken(null),
        })
        widget = { turnstile, id }
      },
      () => setHasFailed(true),
    )
    return () => {
      isGone = true
      widget?.turnstile.remove(widget.id)
    }
  }, [siteKey])

  if (hasFailed) return <Notice kind="problem">The security challenge could not be loaded.</Notice>
  return <div ref={container} style={{ minHeight: 65 }} />
}
