import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { allKeys } from '../../src/config/schema-keys.ts'

/**
 * A key of a released version stays valid for one version after it was renamed, with a warning that says the new name. So far no
 * key was renamed: the first renaming needs that warning, and the key leaves this list a version later.
 */
it('has every key of version 0.1.0', () => {
  const released: readonly string[] = JSON.parse(
    readFileSync(path.join(import.meta.dirname, 'keys-0.1.0.json'), 'utf8'),
  )
  expect(released.length).toBeGreaterThan(100)
  const now = new Set(allKeys().map((key) => key.join('.')))
  expect(released.filter((key) => !now.has(key))).toEqual([])
})
