import { expect, it } from 'vitest'
import { newestVersion } from '../../../scripts/agents.mjs'
import { codex } from '../codex.ts'
import type { Story } from './gateway-session.ts'
import { describeStory, refusedIn, textsIn } from './gateway-suite.ts'

const lines = Array.from({ length: 160 }, (_, n) => `export const value${n} = compute(${n})`)
const text = `${lines.join('\n')}\n`
const closing = 'It is the same every time.'
const cats = 15

/** Codex reads files with its shell alone: the whole file again and again, then some of its lines. */
const story: Story = {
  prompt: 'Look at src/values.ts until you are sure.',
  project: (folder) => [{ path: `${folder}/src/values.ts`, text }],
  scenario: () => ({
    aux: 'Looking',
    last: 'There is nothing left to do.',
    turns: [
      ...Array.from({ length: cats }, () => ({
        operations: [{ kind: 'bash' as const, command: 'cat src/values.ts' }],
      })),
      { operations: [{ kind: 'bash', command: "sed -n '21,80p' src/values.ts" }] },
      { operations: [{ kind: 'bash', command: "sed -n '21,80p' src/values.ts" }] },
      { text: closing },
    ],
  }),
}

const client = codex(newestVersion('codex'))
const pointer =
  /\[same file lines as in `[^`]*src\/values\.ts[^`]*` above, result ([0-9a-f]{6,}) · /

describeStory(client, { title: 'that reads a file again', story, restores: 'command' }, (told) => {
  it('goes through all of it, and nothing is refused', () => {
    const { session, turns } = told()
    expect(refusedIn(told())).toEqual([])
    expect(session.results).toEqual([{ code: 0, errors: expect.any(String) }])
    expect(session.output).toContain(closing)
    expect(turns).toHaveLength(cats + 3)
  })

  it('sees the file whole once, and a pointer to it each time after', () => {
    const results = textsIn(told().turns.at(-1) ?? [], 'result')
    expect(results).toHaveLength(cats + 2)
    const [first = '', ...again] = results
    expect(first).toContain(text.trimEnd())
    for (const result of again) {
      expect(result).toMatch(pointer)
      expect(result).not.toContain('compute(30)')
      expect(result.length).toBeLessThan(300)
    }
    expect(new Set(again.map((result) => pointer.exec(result)?.[1])).size).toBe(1)
  })

  it('and what was sent stays as it was', () => {
    const sent = told().turns.map((messages) => textsIn(messages, 'result'))
    for (const [at, results] of sent.entries())
      expect(results.slice(0, sent[at - 1]?.length ?? 0)).toEqual(sent[at - 1] ?? [])
  })
})
