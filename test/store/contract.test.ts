import { describe, it } from 'vitest'
import { contractCases } from './cases.ts'
import { inFile, inMemory, runCase } from './places.ts'

for (const [name, make] of [
  ['in memory', inMemory],
  ['in a file', inFile],
] as const) {
  describe(`a store ${name}`, () => {
    for (const each of contractCases) it(each.name, () => runCase(make, each))
  })
}
