import { useState } from 'react'
import classes from './Artwork.module.css'

const inks = ['#26443B', '#7A3B2E', '#303E66', '#3D5A80', '#6B4E71', '#5A4A1F']

/** The same show has the same ink on every screen. */
function inkOf(title: string): string {
  const sum = Array.from(title).reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return inks[sum % inks.length] ?? '#26443B'
}

type ArtworkProps = { title: string; url: string; size: number }

/** A show's picture; its initial where there is none or where it can't be had. Decoration: the title stands beside it. */
export function Artwork({ title, url, size }: ArtworkProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const initial = Array.from(title.replace(/^the\s+/i, '').trim())[0]?.toUpperCase() ?? '·'
  const showPicture = url !== '' && brokenUrl !== url
  return (
    <span
      aria-hidden
      className={classes.artwork}
      style={{ width: size, height: size, fontSize: size * 0.5, background: inkOf(title) }}
    >
      {showPicture ? (
        <img
          src={url}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBrokenUrl(url)}
        />
      ) : (
        initial
      )}
    </span>
  )
}
