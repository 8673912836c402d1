import { type Choices, createChoices } from '../score/planted/invented-repository.ts'
import { createRandom } from '../score/quantile.ts'
import type { Decisive, DecisiveKind, DigestCase } from './digest-case.ts'

/** A line that a reader of this output needs. */
export interface Marked {
  readonly kind: DecisiveKind
  readonly text: string
  /** Words that say the same in another layout, when all of them are on one line. */
  readonly facts?: readonly string[]
  /** Lines of one shape are counted separately when there are many of them. */
  readonly shape?: string
}

type RowLine = string | Marked

/** One or more lines that belong together. */
export type Row =
  | string
  | Marked
  | {
      readonly lines: readonly RowLine[]
      /** An identifier of this row that a request may ask for. */
      readonly name?: string
    }

/** Writes the row at a position, so that times and numbers can rise. */
export type RowWriter = (position: number) => Row

/** What a generator says about the command it wrote the output of. */
export interface Run {
  readonly command: string
  readonly status?: 'completed' | 'error'
  readonly request?: string
}

export interface Program {
  readonly program: string
  readonly write: (sheet: Sheet) => Run
}

/** An output under construction. The same seed gives the same output. */
export interface Sheet extends Choices {
  readonly variant: number
  readonly targetChars: number
  /** A whole number in a range, both ends included. */
  between(least: number, most: number): number
  chance(share: number): boolean
  hex(digits: number): string
  line(...lines: readonly string[]): void
  mark(kind: DecisiveKind, text: string, more?: Pick<Marked, 'facts' | 'shape'>): void
  row(row: Row): void
  /** Fills a share of the target with rows, and puts the planted rows at random positions among them. */
  fill(filler: RowWriter, planted: readonly (Row | RowWriter)[], share?: number): void
  /** The `count` first values, in random order. */
  some<Value>(values: readonly Value[], count: number): readonly Value[]
}

const targets: readonly (readonly [number, number])[] = [
  [9_000, 13_000],
  [15_000, 24_000],
  [28_000, 48_000],
  [55_000, 95_000],
  [110_000, 190_000],
]

/** How many outputs are written of each program. */
export const variantsPerProgram: number = targets.length

const generalRequests = [
  null,
  null,
  'Find out what is wrong and fix it.',
  'Please continue.',
  'Is everything fine there?',
  'Have a look and tell me what you see.',
]

/** A larger count of lines of one shape is a mass, of which examples with a count may be enough. */
const leastMass = 41
/** A name in more lines than this is not what a request asks for. */
const mostAsked = 12

export function writeCase(
  family: string,
  { program, write }: Program,
  variant: number,
): DigestCase {
  const id = `${program.replaceAll(/[^a-z0-9]+/gi, '-')}-${variant}`
  const random = createRandom(hashOf(id))
  const choices = createChoices(random)
  const { below, pick } = choices
  const lines: string[] = []
  const decisive: (Decisive & { readonly shape?: string })[] = []
  const [least, most] = targets[variant % targets.length]!
  const targetChars = least + below(most - least)
  const asks = hashOf(`${id} asks`) % 5 < 2
  let asked: string | null = null
  let chars = 0

  const put = (line: RowLine): void => {
    const { text, ...mark } = typeof line === 'string' ? { text: line } : line
    if ('kind' in mark) decisive.push({ line: lines.length, ...mark })
    lines.push(text)
    chars += text.length + 1
  }
  const putRow = (row: Row): void => {
    for (const line of linesOf(row)) put(line)
  }
  const sheet: Sheet = {
    ...choices,
    variant,
    targetChars,
    between: (from, to) => from + below(to - from + 1),
    chance: (share) => random() < share,
    hex: (digits) => Array.from({ length: digits }, () => below(16).toString(16)).join(''),
    line: (...texts) => texts.forEach(put),
    mark: (kind, text, more = {}) => put({ kind, text, ...more }),
    row: putRow,
    some: (values, count) =>
      values
        .map((value) => ({ value, at: random() }))
        .sort((one, other) => one.at - other.at)
        .slice(0, count)
        .map(({ value }) => value),
    fill(filler, planted, share = 1) {
      const samples = Array.from({ length: 8 }, (_, index) => charsOf(filler(index)))
      const average = samples.reduce((sum, size) => sum + size, 0) / samples.length
      const space = Math.max(2_000, (targetChars - chars) * share)
      const count = Math.max(planted.length * 2, Math.ceil(space / average))
      const positions = new Set<number>()
      while (positions.size < planted.length) positions.add(below(count))
      const askedAt = asks && asked === null ? below(count) : Number.POSITIVE_INFINITY
      let next = 0
      for (let position = 0; position < count; position++) {
        if (positions.has(position)) {
          const row = planted[next++]!
          putRow(typeof row === 'function' ? row(position) : row)
          continue
        }
        const row = filler(position)
        putRow(row)
        if (asked === null && position >= askedAt && typeof row === 'object' && 'lines' in row)
          asked = row.name ?? null
      }
    },
  }

  const run = write(sheet)
  const name = asked as string | null
  if (name !== null) {
    const marked = new Set(decisive.map(({ line }) => line))
    const found = [...lines.entries()].filter(([, text]) => text.includes(name))
    if (found.length > mostAsked) asked = null
    else for (const [line] of found) if (!marked.has(line)) decisive.push({ line, kind: 'asked' })
  }
  const request =
    run.request ?? (asked === null ? pick(generalRequests) : pick(askingRequests)(String(name)))
  return {
    id,
    family,
    program,
    command: run.command,
    request,
    status: run.status ?? 'completed',
    text: lines.join('\n'),
    decisive: withMasses(decisive),
  }
}

const askingRequests: readonly ((name: string) => string)[] = [
  (name) => `What about ${name}?`,
  (name) => `Something is odd with ${name}, can you check?`,
  (name) => `I think it is ${name}. Look at it first.`,
  (name) => `Tell me the state of \`${name}\`.`,
]

function linesOf(row: Row): readonly RowLine[] {
  return typeof row === 'object' && 'lines' in row ? row.lines : [row]
}

function charsOf(row: Row): number {
  return linesOf(row).reduce(
    (sum, line) => sum + (typeof line === 'string' ? line : line.text).length + 1,
    0,
  )
}

function withMasses(
  decisive: readonly (Decisive & { readonly shape?: string })[],
): readonly Decisive[] {
  const counts = new Map<string, number>()
  for (const { shape } of decisive)
    if (shape !== undefined) counts.set(shape, (counts.get(shape) ?? 0) + 1)
  return decisive
    .map(({ shape, ...rest }) =>
      shape !== undefined && counts.get(shape)! >= leastMass
        ? { ...rest, mass: true as const }
        : rest,
    )
    .sort((one, other) => one.line - other.line)
}

/** A number that is the same in each run (FNV-1a). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  // The low digits of FNV-1a alone are not even over short texts.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
