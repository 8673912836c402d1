import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { estimateTokens } from '../src/core/record/tokens.ts'
import { diffOf, grepOf, tokenSamples } from '../test/token-samples.ts'
import type { BenchRow } from './bench-row.ts'

const PIECE_CHARACTERS = 1024
const SAMPLE_CHARACTERS = 200_000
/** Short enough that even the longer run is rarely interrupted by other programs. */
const RUN_CHARACTERS = 10_000
/** Only the best round counts, so many short rounds hide the effect of other programs. */
const GROWTH_ROUNDS_PER_ROUND = 5

/**
 * The estimator's error against gpt-tokenizer on each class of text, and how its time grows with a run of one character.
 */
export async function benchTokens(options: { quick: boolean }): Promise<readonly BenchRow[]> {
  const rounds = options.quick ? 10 : 40
  const rows: BenchRow[] = []
  for (const [name, texts] of textsByClass()) {
    const text = texts.join('\n').slice(0, SAMPLE_CHARACTERS)
    const pieces: string[] = []
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS)
      pieces.push(text.slice(at, at + PIECE_CHARACTERS))
    const real = countAll(pieces)
    rows.push({
      name: `tokens: ${name}, error against o200k`,
      ratio: Math.abs(estimateTokens(text) / real - 1),
      limit: 0.15,
      better: 'below',
      note: `${text.length} characters, ${real} tokens`,
    })
  }
  return [...rows, ...growthRows(rounds)]
}

function growthRows(rounds: number): readonly BenchRow[] {
  return ['a', ' ', '\n', '中', '{', '0', '😀'].map((unit): BenchRow => {
    const short = unit.repeat(RUN_CHARACTERS / unit.length)
    const long = short.repeat(10)
    const [shortTime, longTime] = fastest(rounds * GROWTH_ROUNDS_PER_ROUND, [
      () => estimateTokens(short),
      () => estimateTokens(long),
    ])
    return {
      name: `tokens: a run of ${JSON.stringify(unit)} ten times as long`,
      ratio: longTime / shortTime,
      limit: 12,
      better: 'below',
    }
  })
}

function countAll(pieces: readonly string[]): number {
  let total = 0
  for (const piece of pieces) total += countTokens(piece)
  return total
}

/** The best time of each in milliseconds, measured in turns so that a busy machine slows both equally. */
function fastest(
  rounds: number,
  [one, other]: readonly [() => number, () => number],
): readonly [number, number] {
  const timed = (work: () => number): number => {
    const started = performance.now()
    work()
    return performance.now() - started
  }
  let best = Number.POSITIVE_INFINITY
  let otherBest = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds + 2; round++) {
    const time = timed(one)
    const otherTime = timed(other)
    if (round < 2) continue
    best = Math.min(best, time)
    otherBest = Math.min(otherBest, otherTime)
  }
  return [best, otherBest]
}

/** Our own samples, and more files of each class from the project and its dependencies. */
function textsByClass(): ReadonlyMap<string, readonly string[]> {
  const classes = new Map<string, string[]>()
  const add = (name: string, text: string): void => {
    classes.set(name, [...(classes.get(name) ?? []), text])
  }
  for (const { name, text } of tokenSamples()) add(name.split(' ')[0] ?? name, text)
  for (const text of filesIn('src', /\.ts$/, 60)) {
    add('TypeScript', text)
    add('diff', diffOf('src/module.ts', text))
    add('grep', grepOf('src/module.ts', text))
  }
  for (const text of filesIn('node_modules', /\.d\.ts$/, 20)) add('TypeScript', text)
  for (const text of filesIn('node_modules', /\.md$/, 30)) add('Markdown', text)
  for (const text of filesIn('node_modules', /\.json$/, 30)) add('JSON', text)
  return classes
}

/** Up to `most` files of at least 1,000 characters, spread over the folder, the same ones each time. */
function filesIn(folder: string, pattern: RegExp, most: number): readonly string[] {
  const found: string[] = []
  const folders = [folder]
  for (
    let next = folders.shift();
    next !== undefined && found.length < most;
    next = folders.shift()
  ) {
    const entries = readdirSync(next, { withFileTypes: true }).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    )
    for (const entry of entries) {
      const path = join(next, entry.name)
      if (entry.isDirectory() && !entry.name.startsWith('.')) folders.push(path)
      else if (entry.isFile() && pattern.test(entry.name) && found.length < most) {
        const text = readFileSync(path, 'utf8')
        if (text.length >= 1000) found.push(text.slice(0, 20_000))
      }
    }
  }
  return found
}
