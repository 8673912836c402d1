/** 812, 12.3k, 1.24M. */
export function tokens(count: number): string {
  const size = Math.abs(count)
  if (size < 1000) return String(Math.round(count))
  if (size < 99_950) return `${(count / 1000).toFixed(1).replace('.0', '')}k`
  if (size < 999_500) return `${Math.round(count / 1000)}k`
  return `${(count / 1_000_000).toFixed(size < 9_995_000 ? 2 : 1).replace(/\.?0+$/, '')}M`
}

/** Cents are shown to the cent; less keeps two digits that matter. */
export function dollars(amount: number | null): string {
  if (amount === null) return '–'
  const size = Math.abs(amount)
  const sign = amount < 0 ? '−' : ''
  if (size < 0.000_05) return '$0'
  if (size >= 1000) return `${sign}$${Math.round(size).toLocaleString('en')}`
  if (size >= 0.1) return `${sign}$${size.toFixed(2)}`
  return `${sign}$${Number(size.toPrecision(2)).toFixed(4).replace(/0+$/, '')}`
}

/** Amounts in a column, all with as many decimals as the largest one needs. */
export function dollarColumn(amounts: readonly (number | null)[]): readonly string[] {
  const most = Math.max(0, ...amounts.map((each) => Math.abs(each ?? 0)))
  const digits = most >= 1 ? 2 : most >= 0.1 ? 3 : 4
  return amounts.map((each) => {
    if (each === null) return '–'
    if (Math.abs(each) < 0.000_05) return '$0'
    return `${each < 0 ? '−' : ''}$${Math.abs(each).toFixed(digits)}`
  })
}

export function percent(share: number | null): string {
  if (share === null || !Number.isFinite(share)) return '–'
  if (share < 0) return `−${percent(-share)}`
  const value = share * 100
  if (value !== 0 && Math.abs(value) < 1) return `${value.toFixed(1)}\u00a0%`
  return `${Math.round(value)}\u00a0%`
}

export function count(value: number, one: string, many = `${one}s`): string {
  return `${value.toLocaleString('en')} ${value === 1 ? one : many}`
}

/** `3 min`, `2 h`, `5 d`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}

export function ago(at: number, now: number): string {
  return now - at < 5000 ? 'now' : `${duration(now - at)} ago`
}

const dateAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const dayOnly = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const wholeDate = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

export function time(at: number | null): string {
  return at === null ? 'time unknown' : dateAndTime.format(at)
}

export function day(at: number): string {
  return dayOnly.format(at)
}

export function date(at: number): string {
  return wholeDate.format(at)
}

/** The share of what would have been sent that was not. */
export function savedShare({ with: sent, without }: { with: number; without: number }): number {
  return without === 0 ? 0 : (without - sent) / without
}

/** The share of input tokens that were read from the cache. */
export function hitRate(
  cache: { read: number; written: number; uncached: number } | null,
): number | null {
  if (cache === null) return null
  const all = cache.read + cache.written + cache.uncached
  return all === 0 ? null : cache.read / all
}

/** The last parts of a path. */
export function shortPath(path: string, most = 2): string {
  const parts = path.split(/[\\/]/).filter(Boolean)
  return parts.length <= most ? path : `…/${parts.slice(-most).join('/')}`
}
