import type { ReactNode, Ref } from 'react'
import classes from './Page.module.css'

type PageProps = {
  /** The document's title, without the product's name. */
  title: string
  /** Forms are narrow (400 px), a page of words as wide as one reads, all else wide (1120 px). */
  width?: 'wide' | 'text' | 'form'
  children: ReactNode
}

export function Page({ title, width = 'wide', children }: PageProps) {
  return (
    <div className={classes.page} data-width={width}>
      <title>{`${title} · Earmark`}</title>
      {children}
    </div>
  )
}

/** The one h1 of a screen; with a `ref` it can be given the focus. */
export function PageTitle({ ref, children }: { ref?: Ref<HTMLHeadingElement>; children: ReactNode }) {
  return (
    <h1 className={classes.title} ref={ref} tabIndex={ref === undefined ? undefined : -1}>
      {children}
    </h1>
  )
}

/** What the screen says under its title. */
export function PageLead({ children }: { children: ReactNode }) {
  return <p className={classes.lead}>{children}</p>
}
