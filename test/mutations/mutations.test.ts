import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

interface Mutation {
  readonly name: string
  readonly file: string
  readonly line: string
}

const here = path.dirname(fileURLToPath(import.meta.url))
const mutations = JSON.parse(
  readFileSync(path.join(here, 'mutations.json'), 'utf8'),
) as readonly Mutation[]

it('every seeded fault still has its line, once', () => {
  const lost = mutations.filter(({ file, line }) => {
    const source = readFileSync(path.join(here, '../..', file), 'utf8')
    return source.split('\n').filter((each) => each === line).length !== 1
  })
  expect(mutations.length).toBeGreaterThanOrEqual(10)
  expect(lost).toEqual([])
})
