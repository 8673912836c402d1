import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { presets } from '../../src/config/presets.ts'
import { allKeys } from '../../src/config/schema-keys.ts'
import { limitsFrom } from '../../src/gateway/limits.ts'
import { keyRows, withKeyTables } from './keys-table.ts'

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/configuration.md'), 'utf8')
const { all, models, toolMappings } = keyRows()

describe('docs/configuration.md', () => {
  it('has the tables that the schema gives; `node scripts/schema.mjs` writes them', () => {
    expect(page).toBe(withKeyTables(page))
  })

  it('has a row of its own for every key that is not part of a switch', () => {
    const rows = new Map(all.map(({ key, value }) => [key, value]))
    const missing = allKeys().filter((keys) => {
      const parent = rows.get(keys.slice(0, -1).join('.'))
      return (
        !rows.has(keys.join('.')) &&
        !(parent?.includes('switch') || parent?.includes(`${keys.at(-1)}`))
      )
    })
    expect(missing).toEqual([])
    expect(models.length + toolMappings.length).toBeGreaterThan(20)
  })

  it('says what each key does', () => {
    const rows = [...all, ...models, ...toolMappings]
    const short = rows.filter(
      ({ meaning }) => meaning.split(' ').length < 3 || /^on or off/i.test(meaning),
    )
    expect(short).toEqual([])
  })

  it('names the parts of a switch and the numbers that hold by default', () => {
    const numbers = defaultNumbers()
    const untold = all.flatMap(({ key, value, meaning }) => {
      const parts = /^switch, with/.test(value) ? [...value.matchAll(/`(\w+)`/g)] : []
      const keys = [key, ...parts.map(([, part]) => `${key}.${part}`)]
      return keys.flatMap((each) => {
        const number = numbers.get(each)
        if (number === undefined) return []
        return meaning.includes(`(${number.toLocaleString('en-US')})`) ? [] : [`${each}: ${number}`]
      })
    })
    expect(numbers.size).toBeGreaterThan(20)
    expect(untold).toEqual([])
  })
})

/** The default of every number, by key. */
function defaultNumbers(): ReadonlyMap<string, number> {
  const { idleMs, bodyBytes, ...limits } = limitsFrom()
  const idleSeconds = idleMs / 1000
  const bodyMegabytes = bodyBytes / 1024 / 1024
  const {
    turnProtection: _,
    history,
    largeOutputs,
    truncateOldErrors,
    ...strategies
  } = presets.balanced
  const { todoReminder, automataMode, triggers } = strategies
  const found = new Map<string, number>()
  const walk = (value: unknown, at: string): void => {
    if (typeof value === 'number') found.set(at, value)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value))
        walk(inner, at === '' ? key : `${at}.${key}`)
  }
  walk({ ...history, triggers, bashTruncate: largeOutputs.bashTruncate }, '')
  walk({ strategies: { ...strategies, aggressivePruning: { truncateOldErrors } } }, '')
  walk(
    { tools: { todoReminder, automataMode }, limits: { ...limits, idleSeconds, bodyMegabytes } },
    '',
  )
  return found
}
