import { describe, expect, it } from 'vitest'
import { contextRestore } from '../../src/agent/context-restore.ts'
import { resolveSettings } from '../../src/config/resolve.ts'
import type { ItemDraft, MessageDraft } from '../../src/core/words/item.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import { type ToldAgent, toldAgent } from './told-agent.ts'

interface Step {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly output: string
}

const file = (from: number, to: number, changed = -1): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, n) =>
    from + n === changed
      ? `const changed${changed} = recompute(${changed})`
      : `const value${from + n} = compute(${from + n}, 'some words')`,
  )
const numbered = (lines: readonly string[]): string =>
  lines.map((line, n) => `${n + 1}\t${line}`).join('\n')
const read = (lines: readonly string[]): Step => ({
  tool: 'Read',
  input: { file_path: 'src/app.ts' },
  output: numbered(lines),
})
const bash = (command: string, output: string): Step => ({
  tool: 'Bash',
  input: { command },
  output,
})
const edit: Step = {
  tool: 'Edit',
  input: { file_path: 'src/app.ts', old_string: file(30, 30)[0], new_string: file(30, 30, 30)[0] },
  output: 'The file src/app.ts has been updated.',
}
const fetched = (version: number): Step => ({
  tool: 'WebFetch',
  input: { url: 'https://example.org/state', prompt: 'State?' },
  output: `version ${version} `.repeat(60),
})
const report = Array.from({ length: 30 }, (_, n) => ` ✓ part ${n} holds`).join('\n')
const large = Array.from({ length: 600 }, (_, n) => `ok ${n} - adds ${n}`).join('\n')
const wait = (n: number): Step => bash(`echo ${n}`, `${n}`)

function messagesOf(steps: readonly Step[]): readonly MessageDraft[] {
  return [
    { role: 'user', items: [{ kind: 'text', text: 'Go on.' }] },
    ...steps.flatMap(({ tool, input, output }, at): readonly MessageDraft[] => [
      {
        role: 'assistant',
        items: [{ kind: 'call', tool, call: `c${at}`, text: JSON.stringify(input) }],
      },
      {
        role: 'tool',
        items: [{ kind: 'result', tool, call: `c${at}`, status: 'ok', text: output }],
      },
    ]),
  ]
}

/** A model that knows nothing but the page and its restore tool, and does what a form says, word by word. */
function literalReader(agent: ToldAgent): {
  readonly page: readonly ItemDraft[]
  /** The text of the result of a call that is named in backticks, above an item. */
  resultAbove(item: ItemDraft, call: string): string | undefined
  restore(form: string): Promise<string>
} {
  const page = agent.next().flatMap(({ items }) => items)
  return {
    page,
    resultAbove(item, words) {
      const above = page.slice(0, page.indexOf(item))
      const results = above.flatMap((each) => {
        if (each.kind !== 'call' || nameOf(each.text, each.tool, words) !== words) return []
        return above.filter((other) => other.kind === 'result' && other.call === each.call)
      })
      return results.findLast(({ text }) => !text.startsWith('['))?.text
    },
    async restore(form) {
      const [, handle] = /· context_restore ([0-9a-f]{6,}(?::\d+-\d+)?)\]/.exec(form) ?? []
      return contextRestore(agent, { handle })
    },
  }
}

/** How the reader itself would name a call: the command, or what it does with which file. */
function nameOf(text: string, tool: string, words: string): string {
  const input = JSON.parse(text) as Record<string, string>
  const { command, file_path: path } = input
  return command ?? `${tool.toLowerCase()} ${path}${/ lines? [\d–]+$/.exec(words)?.[0] ?? ''}`
}

const steady: Settings = resolveSettings({ schedule: 'admission-only' })

async function formIn(
  steps: readonly Step[],
  form: RegExp,
  settings = steady,
): Promise<{
  readonly reader: ReturnType<typeof literalReader>
  readonly item: ItemDraft
  readonly found: RegExpExecArray
}> {
  const reader = literalReader(toldAgent(messagesOf(steps), settings))
  const item = reader.page.find(({ text }) => form.test(text))
  expect(item, reader.page.map(({ text }) => text).join('\n')).toBeDefined()
  return { reader, item: item as ItemDraft, found: form.exec(item?.text ?? '') as RegExpExecArray }
}

describe('a model that does what a form says, word by word', () => {
  it('finds the same output in the result of the call that a pointer names', async () => {
    const steps = [bash('npm test', report), wait(1), bash('npm test', report)]
    const form = /^\[same output as in `(.*)` above, result ([0-9a-f]{6}) · .*\]$/
    const { reader, item, found } = await formIn(steps, form)
    expect(reader.resultAbove(item, found[1] ?? '')).toBe(report)
    expect(await reader.restore(item.text)).toContain(report)
    expect(await reader.restore(`[… · context_restore ${found[2]}]`)).toContain(report)
  })

  it('finds the same file lines in the read that a pointer names', async () => {
    const steps = [read(file(1, 40)), wait(1), read(file(1, 40))]
    const form = /^\[same file lines as in `(.*)` above, result [0-9a-f]{6} · .*\]$/
    const { reader, item, found } = await formIn(steps, form)
    expect(reader.resultAbove(item, found[1] ?? '')).toBe(numbered(file(1, 40)))
    expect(await reader.restore(item.text)).toContain(numbered(file(1, 40)))
  })

  it('finds lines that were left out of a read where they are shown', async () => {
    const steps = [read(file(1, 60)), edit, read(file(1, 60, 30))]
    const form = /^\[… file lines (\d+)–(\d+) as in `(.*)` above, result [0-9a-f]{6} · .*\]$/m
    const { reader, item, found } = await formIn(steps, form)
    const [first, last] = [Number(found[1]), Number(found[2])]
    const shown = reader.resultAbove(item, found[3] ?? '')?.split('\n') ?? []
    expect(shown.slice(first - 1, last)).toEqual(
      numbered(file(1, 60, 30))
        .split('\n')
        .slice(first - 1, last),
    )
    expect(await reader.restore(found[0])).toContain(numbered(file(1, 60, 30)))
  })

  it('gets back the lines that a digest left out, and counts as many', async () => {
    const form = /^\[… ([\d,]+) output lines left out · .*\]$/m
    const { reader, item, found } = await formIn([bash('npm run all', large)], form)
    expect(await reader.restore(found[0])).toContain(large)
    const kept = item.text.split('\n').filter((line) => large.split('\n').includes(line))
    expect(kept.length + Number(found[1])).toBe(600)
  })

  it('gets back what a placeholder stands for', async () => {
    const steps = [fetched(1), fetched(2), wait(1), wait(2), wait(3)]
    const eager = resolveSettings({ schedule: 'eager' })
    const form = /^\[fetch https:\/\/example\.org\/state · repeated later · .*\]$/
    const { reader, item } = await formIn(steps, form, eager)
    expect(await reader.restore(item.text)).toContain('version 1')
  })

  it('reads the current text of a file in a view, and can get back what the read printed', async () => {
    const steps = [read(file(1, 60)), edit, wait(1), read(file(1, 20)), wait(2), wait(3), wait(4)]
    const eager = resolveSettings({ schedule: 'eager' })
    const form = /^\[src\/app\.ts as of (?:this read|\w+ [0-9a-f]{6}) · .*\]$/m
    const { reader, item, found } = await formIn(steps, form, eager)
    expect(item.text).toContain(`30\t${file(30, 30, 30)[0]}`)
    expect(await reader.restore(found[0])).not.toContain('recompute')
  })
})
