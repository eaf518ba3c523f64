// Sets the colour scheme before the first paint. A file of its own, as the content security policy allows no inline script.
;((root, storage) => {
  let chosen = null
  try {
    chosen = storage().getItem('earmark-color-scheme')
  } catch {
    // Storage may be blocked: the system's scheme it is.
  }
  const dark =
    chosen === 'dark' || (chosen !== 'light' && root.matchMedia('(prefers-color-scheme: dark)').matches)
  root.document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})(globalThis, () => globalThis.localStorage)
