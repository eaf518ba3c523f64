/** Numbers, times and dates in the words of the screens. Amounts are credits unless a name says otherwise. */

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const dayAndTime = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
const dateTime = new Intl.DateTimeFormat('en-GB', dayAndTime)
const dateTimeOfAnotherYear = new Intl.DateTimeFormat('en-GB', { ...dayAndTime, year: 'numeric' })

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Two decimals, '--' where the balance is unknown (spec section 9). */
export function formatCredits(credits: number | null): string {
  return credits === null ? '--' : credits.toFixed(2)
}

export function formatDate(iso: string | null): string {
  return iso === null ? 'Unknown date' : date.format(new Date(iso))
}

/** With the year where it is not that of `now`. */
export function formatDateTime(iso: string, now = new Date()): string {
  const at = new Date(iso)
  return (at.getFullYear() === now.getFullYear() ? dateTime : dateTimeOfAnotherYear).format(at)
}

/** A calendar day as the API writes it: '20 Nov'. */
export function formatDay(isoDay: string): string {
  return day.format(new Date(`${isoDay}T00:00:00Z`))
}

/** US dollars with two decimals (spec section 9). */
export function formatDollars(dollars: number): string {
  return `$${dollars.toFixed(2)}`
}

/** Whole minutes: '3 min', '1 h 12 min'. */
export function formatMinutes(durationSeconds: number | null): string {
  if (durationSeconds === null) return 'Unknown duration'
  const minutes = Math.max(1, Math.round(durationSeconds / 60))
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** To the second: '3 min 12 s'. */
export function formatExactDuration(durationSeconds: number): string {
  const seconds = Math.round(durationSeconds)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export function formatSize(megabytes: number | null): string {
  return megabytes === null ? 'Unknown size' : `${megabytes.toFixed(1)} MB`
}

/** A place in the audio: '0:58', '1:02:07'. */
export function formatTimestamp(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const rest = String(whole % 60).padStart(2, '0')
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`
}

export function formatCount(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`
}
