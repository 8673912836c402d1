import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { apiDocs } from '../scripts/api-docs.mjs'

const root = path.resolve(import.meta.dirname, '..')

/** Every file that an entry of dist pulls in, with its text. */
function filesBehind(entry: string, found: Map<string, string> = new Map()): Map<string, string> {
  const file = path.resolve(root, entry)
  if (found.has(file)) return found
  const text = readFileSync(file, 'utf8')
  found.set(file, text)
  for (const [, specifier = ''] of text.matchAll(
    /^(?:import|export)\b[^'"\n]*['"](\.[^'"]+)['"]/gm,
  ))
    filesBehind(path.resolve(path.dirname(file), specifier), found)
  return found
}

/** Words of the parts that only doors need: the schema of files, the store, the memory, the gateway. */
const doorWords = ['ZodError', 'createSelectQueryBuilder', 'node:fs']

it('pulls in nothing but the engine with the root entry, which stays below its size', () => {
  const files = [...filesBehind('dist/index.js').values()]
  const text = files.join('\n')
  expect(text.includes('SessionEngine')).toBe(true)
  const sdk = [...filesBehind('dist/sdk/index.js').values()].join('\n')
  expect(doorWords.filter((word) => sdk.includes(word))).toEqual(doorWords)
  expect(doorWords.filter((word) => text.includes(word))).toEqual([])
  const kilobytes = files.reduce((sum, each) => sum + each.length, 0) / 1024
  expect(kilobytes).toBeLessThan(1_200)
})

it('has a reference of its API that is current', () => {
  const kept = readFileSync(path.join(root, 'docs/api.md'), 'utf8')
  expect(kept === apiDocs(), 'run `npm run build && node scripts/api-docs.mjs`').toBe(true)
})
