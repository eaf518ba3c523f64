import { type ReactNode, useEffect, useRef } from 'react'
import { ScrollRestoration, useLocation } from 'react-router-dom'
import classes from './Frame.module.css'

/** Skip link, header and the one `main`, which takes the focus when the reader has gone to another screen. */
export function Frame({ header, children }: { header: ReactNode; children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shownPath = useRef(pathname)

  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      {header}
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <ScrollRestoration />
    </>
  )
}
