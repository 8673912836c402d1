import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { newestVersion } from '../../../scripts/agents.mjs'
import type { CallDraft } from '../../../src/core/words/item.ts'
import { claudeCode } from '../claude-code.ts'
import { openCode } from '../opencode.ts'
import type { Story } from './gateway-session.ts'
import { describeStory, refusedIn, type ToldStory, textsIn } from './gateway-suite.ts'

const content = (version: number): string => `version ${version} of a line\n`.repeat(60)
const copied = 'What the copy holds.\n'
const closing = 'The copies are written.'

/** A file is written twice, so that the first call is stripped, and then files are written as the first one was. */
const story: Story = {
  prompt: 'Write the file, write it again, and then its copies.',
  config: { preset: 'acp' },
  project: (folder) => [{ path: `${folder}/package.json`, text: '{ "private": true }\n' }],
  scenario: (folder) => ({
    aux: 'Copies',
    last: 'There is nothing left to do.',
    turns: [
      { operations: [{ kind: 'write', path: `${folder}/a.txt`, content: content(1) }] },
      { operations: [{ kind: 'read', path: `${folder}/a.txt` }] },
      { operations: [{ kind: 'write', path: `${folder}/a.txt`, content: content(2) }] },
      { operations: [{ kind: 'read', path: `${folder}/a.txt` }] },
      { operations: [{ kind: 'imitate', path: `${folder}/b.txt`, content: copied }] },
      { operations: [{ kind: 'imitate', path: `${folder}/c.txt`, content: copied }] },
      { text: closing },
    ],
  }),
}

function writesIn({ turns }: ToldStory): readonly CallDraft[] {
  return (turns.at(-1) ?? []).flatMap(({ items }) =>
    items.filter((item) => item.kind === 'call' && /^write$/i.test(item.tool)),
  ) as readonly CallDraft[]
}

for (const client of [
  claudeCode(newestVersion('claude-code'), 'claude-sonnet-4-5'),
  openCode(newestVersion('opencode'), 'anthropic'),
]) {
  const title = 'is called by a model that copies the shape of earlier calls'
  describeStory(client, { title, story, restores: 'command' }, (told) => {
    it('which sees a call with some of its arguments and no other', () => {
      const [first] = writesIn(told()).map(({ text }) => JSON.parse(text) as object)
      expect(Object.keys(first ?? {})).toEqual([expect.stringMatching(/^file_?path$/i)])
      expect(textsIn(told().turns.at(-1) ?? [], 'result').join('\n')).toMatch(
        /\[input left out · \S.*[0-9a-f]{6}\]/,
      )
    })

    it('and sends only arguments that the tool has', () => {
      const { session } = told()
      expect(refusedIn(told())).toEqual([])
      expect(session.output).toContain(closing)
      const known = /^(file_?path|content)$/i
      for (const { text } of writesIn(told()))
        expect(Object.keys(JSON.parse(text) as object).filter((key) => !known.test(key))).toEqual(
          [],
        )
      for (const name of ['b.txt', 'c.txt'])
        expect(readFileSync(`${session.project}/${name}`, 'utf8')).toBe(copied)
    })
  })
}
