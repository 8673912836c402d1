import { expect, it } from 'vitest'
import { restore, rewriteRequest } from '../../examples/01-one-request.ts'

const page = (n: number): string => `answer ${n}: ${'a long page of text '.repeat(30)}`
const turn = (id: string, url: string, content: string): object[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'WebFetch', input: { url } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
]
const body = (turns: number): string =>
  JSON.stringify({
    model: 'claude-opus-4-5',
    max_tokens: 1000,
    messages: [
      { role: 'user', content: 'look it up' },
      ...Array.from({ length: turns }, (_, n) =>
        turn(`toolu_${n}`, 'https://example.org/a', page(n)),
      ).flat(),
    ],
  })

it('the first example leaves a request alone, then replaces what is old, and gives it back', () => {
  const minute = 60_000
  expect(rewriteRequest(body(1), 0)).toBe(body(1))
  for (let n = 2; n < 7; n++) expect(rewriteRequest(body(n), n * minute)).toBe(body(n))
  const changed = rewriteRequest(body(7), 99 * minute)
  expect(changed).not.toContain(page(0))
  expect(changed).toContain(page(6))
  const handle = / · ([0-9a-f]{6})\]/.exec(changed)?.[1] ?? ''
  expect(restore(handle)).toBe(page(0))
})
