import { PalimpsestError } from '../core/words/errors.ts'

const milliseconds: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

const bytes: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
}

/** `30d` in milliseconds. Throws with `usage` for anything else. */
export function parseDuration(text: string): number {
  return parse(text, milliseconds, 'a time such as 30d, 12h or 90m')
}

/** `5GB` in bytes. Throws with `usage` for anything else. */
export function parseSize(text: string): number {
  return Math.round(parse(text, bytes, 'a size such as 5GB, 500MB or 2GiB'))
}

export function formatSize(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = size
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}

function parse(text: string, units: Readonly<Record<string, number>>, expected: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text.trim()) ?? []
  const factor = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined
  if (factor === undefined) {
    throw new PalimpsestError('usage', `"${text}" is not valid: give ${expected}`)
  }
  return Number(amount) * factor
}
