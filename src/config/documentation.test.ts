import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { presetNames } from './config.ts'
import { presets } from './presets.ts'
import { allKeys } from './schema-keys.ts'

const text = readFileSync(path.resolve(import.meta.dirname, '../../docs/configuration.md'), 'utf8')
const rows = text.split('\n').filter((line) => line.startsWith('|'))

describe('docs/configuration.md', () => {
  it('has a row for every key', () => {
    const rowed = allKeys().filter(([first]) => first !== '$schema')
    const missing = rowed.filter((keys) => {
      const [name = '', parent] = [keys.at(-1), keys.slice(0, -1).join('.')]
      const own = rows.some((row) => row.startsWith(`| \`${keys.join('.')}\` |`))
      const inParent = rows.some(
        (row) => row.startsWith(`| \`${parent}\` |`) && (name === 'enabled' || row.includes(name)),
      )
      const isGroup = allKeys().some((other) => other.join('.').startsWith(`${keys.join('.')}.`))
      return !own && !inParent && !isGroup
    })
    expect(missing).toEqual([])
  })

  it('shows the presets as they are', () => {
    const cells = (label: string): readonly string[] =>
      rows
        .find((row) => row.startsWith(`| ${label} |`))
        ?.split('|')
        .slice(2, -1)
        .map((cell) => cell.trim()) ?? []
    const names = presetNames.filter((name) => name !== 'off')
    const shown = names.map((name) => presets[name])
    expect(rows[0]?.match(/`\w+`/g)).toEqual(names.map((name) => `\`${name}\``))
    expect(cells('`files`')).toEqual(shown.map(({ files }) => `\`${files}\``))
    expect(cells('`schedule`')).toEqual(shown.map(({ schedule }) => `\`${schedule}\``))
    expect(cells('`turnProtection`')).toEqual(shown.map((each) => `${each.turnProtection}`))
    expect(cells('`purgeErrors`')).toEqual(
      shown.map(({ purgeErrors }) => (purgeErrors.enabled ? `${purgeErrors.turns} turns` : '–')),
    )
    const grouped = rows.filter((row) => /\| (yes|–) \|/.test(row) && !row.startsWith('| `purge'))
    for (const row of grouped) {
      const keys = [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, key]) => key ?? '')
      for (const key of keys) {
        const states = shown.map((settings) => {
          const value = Object.entries({ ...settings, ...settings.history }).find(
            ([name]) => name === key,
          )?.[1]
          return typeof value === 'object' && value !== null && 'enabled' in value
            ? value.enabled
            : value
        })
        const said = row
          .split('|')
          .slice(2, -1)
          .map((cell) => cell.trim() !== '–')
        expect([key, states]).toEqual([key, said])
      }
    }
  })
})
