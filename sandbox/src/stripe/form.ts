export type FormValue = string | FormValue[] | { [name: string]: FormValue }
export type Form = Record<string, FormValue>

type Branch = Map<string, string | Branch>

/** Reads a form whose names nest by brackets (`line_items[0][quantity]`, `expand[]`), as Stripe's do. */
export function parseForm(text: string): Form {
  const root: Branch = new Map()
  for (const [name, value] of new URLSearchParams(text)) put(root, pathOf(name), value)
  return Object.fromEntries([...root].map(([name, value]) => [name, valueOf(value)]))
}

function pathOf(name: string): string[] {
  const [head = ''] = name.split('[', 1)
  return [head, ...[...name.slice(head.length).matchAll(/\[([^\]]*)\]/g)].map(([, part = '']) => part)]
}

function put(branch: Branch, [name = '', ...rest]: string[], value: string): void {
  const key = name === '' ? String(branch.size) : name
  if (rest.length === 0) {
    branch.set(key, value)
    return
  }
  const known = branch.get(key)
  const next: Branch = known instanceof Map ? known : new Map<string, string | Branch>()
  branch.set(key, next)
  put(next, rest, value)
}

function valueOf(value: string | Branch): FormValue {
  if (typeof value === 'string') return value
  const entries = [...value]
  const isList = entries.every(([key], at) => key === String(at))
  return isList
    ? entries.map(([, part]) => valueOf(part))
    : Object.fromEntries(entries.map(([key, part]) => [key, valueOf(part)]))
}
