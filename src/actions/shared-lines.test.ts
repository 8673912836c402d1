import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readResult } from './result/index.ts'
import { createUnderstanding } from './understand.ts'

const line = fc.constantFrom('', 'a', 'const b = 1', '}', '  return', '\ttab', 'é→')
const read = fc.record({
  path: fc.constantFrom('/p/a.ts', '/p/b.ts'),
  first: fc.integer({ min: 1, max: 9 }),
  lines: fc.array(line, { minLength: 1, maxLength: 12 }),
})

describe('the reads of a session', () => {
  it('say the same as each does by itself, however often their lines were shown before', () => {
    fc.assert(
      fc.property(fc.array(read, { maxLength: 8 }), (reads) => {
        const understanding = createUnderstanding({ cwd: '/p' })
        for (const { path, first, lines } of reads) {
          const text = lines.map((each, index) => `${first + index}\t${each}`).join('\n')
          const call = { tool: 'Read', text: JSON.stringify({ file_path: path, offset: first }) }
          const action = understanding.action(call)
          const { body, lines: shown, ...rest } = understanding.reading(action, call, text)
          const alone = readResult(action, call, text)
          expect({ ...rest, body: lines.join('\n'), lines: shown }).toEqual(alone)
          expect(body).toBe(alone.body)
        }
      }),
    )
  })
})
