import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** Gives the tests of a file a configuration folder of their own, as a user of the library has one. */
export function useOwnHome(): void {
  const before = process.env.PALIMPSEST_HOME
  let home: string
  beforeAll(() => {
    home = mkdtempSync(path.join(tmpdir(), 'palimpsest-library-'))
    process.env.PALIMPSEST_HOME = home
  })
  afterAll(() => {
    rmSync(home, { recursive: true })
    if (before === undefined) delete process.env.PALIMPSEST_HOME
    else process.env.PALIMPSEST_HOME = before
  })
}
