/** The files of a made-up project with their true text, so that what a session shows of them can be checked. */
export interface World {
  readonly paths: readonly string[]
  /** null: the file is not there. */
  lines(path: string): readonly string[] | null
  put(path: string, lines: readonly string[] | null): void
  /** Lines that no file has had so far, and some that many files have. */
  fresh(count: number): readonly string[]
  snapshot(): WorldSnapshot
  restore(snapshot: WorldSnapshot): void
}

export interface WorldSnapshot {
  readonly files: ReadonlyMap<string, readonly string[] | null>
}

export const root = '/project'

const paths: readonly string[] = [
  'src/app.ts',
  'src/parts/list.ts',
  'README.md',
  'config/.env',
  'docs/größe.md',
  'lib/two words.py',
]

/** Lines that are hard to tell apart, or that look like what agents or we ourselves put around text. */
const awkward: readonly string[] = [
  '',
  '}',
  '  return null',
  '[read src/app.ts lines 1–9 · replaced by edit at turn 3 · context_restore a1b2c3]',
  '12→const shifted = 1',
  '<system-reminder>',
  '[Old tool result content cleared]',
  '  // 🙂 a line with a character of two halves',
]

export function createWorld(count: number): World {
  const own = paths.slice(0, count)
  const files = new Map<string, readonly string[] | null>()
  let made = 0
  const fresh = (wanted: number): readonly string[] =>
    Array.from({ length: wanted }, () => {
      made++
      if (made % 5 === 0) return awkward[(made / 5) % awkward.length] as string
      return `  const value${made} = compute(${made * 7919}, 'some text of line ${made}')`
    })
  for (const [index, path] of own.entries()) {
    files.set(path, index === 3 ? ['SECRET=1'] : fresh(6 + index * 9))
  }
  return {
    paths: own,
    fresh,
    lines: (path) => files.get(path) ?? null,
    put: (path, lines) => void files.set(path, lines),
    snapshot: () => ({ files: new Map(files) }),
    restore(snapshot) {
      for (const path of own) files.set(path, snapshot.files.get(path) ?? null)
    },
  }
}
