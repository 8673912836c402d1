import { grouped } from '../fitting.ts'

/** So much of a digest's room is for the names that only the lines have that it left out. */
export const indexShare = 0.4

export interface Closing {
  /** How much was left out, and what it is counted in: `lines`, `entries`, … */
  readonly count: number
  readonly noun: string
  /** Names that stand only in what was left out, and how many more there are. */
  readonly names: readonly string[]
  readonly more: number
  /** How to get it back; null where another line says so. */
  readonly recall: string | null
}

/** The last line of a digest: `[… 120 lines left out · named there: src/a.ts parseName +14 · context_restore a1b2c3]`. */
export function closingLine({ count, noun, names, more, recall }: Closing): string {
  const counted = recall === null ? '' : `${grouped(count)} ${noun} left out`
  const others = more === 0 ? '' : ` +${more}`
  const named = names.length === 0 ? '' : `named there: ${names.join(' ')}${others}`
  const parts = [counted, named, recall ?? ''].filter((part) => part !== '')
  return `[… ${parts.join(' · ')}]`
}

/** True for a text that has been through here: what it left out is told, and a second cut would hide the first. */
export function isDigest(text: string): boolean {
  return text.includes('[… ') && /^\[… .*(?:left out|named there|no output)/m.test(text)
}
