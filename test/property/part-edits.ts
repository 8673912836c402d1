import * as fc from 'fast-check'
import type { MessageDraft } from '../../src/core/words/item.ts'
import { claudeCode, type SpelledCall } from './agents.ts'

/** One thing that is done to a file. Numbers are choices, taken modulo what there is to choose from. */
export type PartDeed =
  | { readonly do: 'read'; readonly file: number; readonly from: number; readonly count: number }
  /** Takes words out that follow each other, over line breaks too, and puts others in their place; only of what was seen. */
  | {
      readonly do: 'edit'
      readonly file: number
      readonly from: number
      readonly count: number
      readonly added: readonly AddedWord[]
    }
  /** Another word for one that many lines have, by the editor or by a command. */
  | { readonly do: 'rename' | 'sed' | 'write' | 'append' | 'idle'; readonly file: number }

export interface AddedWord {
  readonly filled: number
  readonly breaks: boolean
}

/** What the files say and what was said, before each request. */
export interface PartRequest {
  readonly messages: readonly MessageDraft[]
  /** What the files have at the time, word by word. */
  readonly current: ReadonlySet<string>
}

const choice = fc.nat(60)
const file = fc.nat(1)
const word = fc.record({
  filled: fc.constantFrom(0, 0, 3, 40),
  breaks: fc.nat(5).map((n) => n === 0),
})
const deed: fc.Arbitrary<PartDeed> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      file,
      from: fc.oneof(fc.constant(0), choice),
      count: fc.constantFrom(3, 9, 100),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      file,
      from: choice,
      count: fc.constantFrom(1, 1, 1, 2, 3, 4, 7),
      added: fc.array(word, { maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('rename', 'sed', 'append', 'write', 'idle', 'idle', 'idle'),
      file,
    }),
  },
)

export const partScript: fc.Arbitrary<readonly (readonly PartDeed[])[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.array(deed, { minLength: 1, maxLength: 1 }) },
    fc.array(deed, { minLength: 2, maxLength: 3 }),
  ),
  { minLength: 4, maxLength: 24, size: 'max' },
)

/** Lines of words that no other line has, without anything between them: what is left of a line may be any part of it. */
type Words = readonly (readonly string[])[]

const lineBreak = '\n'
const textOf = (lines: Words): string => lines.map((words) => words.join('')).join(lineBreak)

/** The requests of a session that mostly changes parts of lines. */
export function playParts(script: readonly (readonly PartDeed[])[]): readonly PartRequest[] {
  let made = 0
  const fresh = (filled: number): string => `.w${++made}${'~'.repeat(filled)};`
  const seen = new Set<string>()
  const paths = ['src/app.ts', 'src/list.ts']
  /** By file: what stands in every third line. */
  const common = ['<same0>', '<same1>']
  const someLines = (file: number, count: number): Words =>
    Array.from({ length: count }, (_, n) => {
      const shared = n % 3 === 0 ? [common[file] as string] : []
      return [fresh(3), fresh(1), ...shared, fresh(12)]
    })
  const files = paths.map((_, file) => someLines(file, 5 + file * 9))
  const messages: MessageDraft[] = [{ role: 'user', items: [{ kind: 'text', text: 'Go.' }] }]
  const requests: PartRequest[] = []
  let calls = 0

  const send = (): void => {
    requests.push({ messages: [...messages], current: new Set(files.flat(2)) })
  }

  function perform(deed: PartDeed): SpelledCall & { readonly result: string } {
    const at = deed.file % paths.length
    const path = paths[at] as string
    const lines = files[at] as Words
    const done = { result: `The file ${path} has been updated.` }
    switch (deed.do) {
      case 'read': {
        const first = deed.from % lines.length
        const shown = lines.slice(first, first + deed.count).map((words) => words.join(''))
        const range =
          deed.from === 0 && deed.count >= lines.length
            ? null
            : { first: first + 1, count: deed.count }
        const call = claudeCode.read(path, range) as SpelledCall
        return { ...call, result: claudeCode.shownFile(path, first + 1, shown) }
      }
      case 'edit': {
        const parts = lines.flatMap((words, n) => (n === 0 ? words : [lineBreak, ...words]))
        const from = deed.from % Math.max(1, parts.length)
        const removed = parts.slice(from, from + deed.count)
        const old = removed.join('')
        const around = parts.slice(Math.max(0, from - 1), from + deed.count + 1)
        if (!around.every((part) => part === lineBreak || seen.has(part))) break
        if (old.trim() === '' || textOf(lines).split(old).length !== 2) break
        const added = deed.added.flatMap(({ filled, breaks }) =>
          breaks ? [fresh(filled), lineBreak] : [fresh(filled)],
        )
        files[at] = linesOf([...parts.slice(0, from), ...added, ...parts.slice(from + deed.count)])
        return { ...edit(path, old, added.join('')), ...done }
      }
      case 'rename':
      case 'sed': {
        const old = common[at] as string
        const next = `<same${++made}>`
        if (!textOf(lines).includes(old)) break
        common[at] = next
        files[at] = lines.map((words) => words.map((each) => (each === old ? next : each)))
        return deed.do === 'rename'
          ? { ...edit(path, old, next, { replace_all: true }), ...done }
          : { ...claudeCode.shell(`sed -i 's/${old}/${next}/g' ${path}`), result: '' }
      }
      case 'append': {
        const added = fresh(5)
        files[at] = [...lines, [added]]
        return { ...claudeCode.shell(`printf '\\n%s' '${added}' >> ${path}`), result: '' }
      }
      case 'write': {
        const written = [...lines.slice(0, 3), ...someLines(at, 4)]
        files[at] = written
        return { ...claudeCode.write(path, textOf(written)), ...done }
      }
      case 'idle':
        break
    }
    return { ...claudeCode.shell(`echo ${calls}`), result: `${calls}` }
  }

  for (const deeds of script) {
    send()
    const performed = deeds.map((each) => ({ ...perform(each), call: `call-${++calls}` }))
    for (const { input, result } of performed) {
      for (const word of `${input} ${result}`.match(anyWord) ?? []) seen.add(word)
    }
    messages.push(
      {
        role: 'assistant',
        items: performed.map(({ tool, call, input }) => ({
          kind: 'call',
          tool,
          call,
          text: input,
        })),
      },
      {
        role: 'tool',
        items: performed.map(({ tool, call, result }) => ({
          kind: 'result',
          tool,
          call,
          status: 'ok',
          text: result,
        })),
      },
    )
  }
  send()
  return requests
}

function edit(path: string, old: string, added: string, more: object = {}): SpelledCall {
  const { tool, input } = claudeCode.edit({
    path,
    before: [],
    removed: [old],
    added: [added],
  }) as SpelledCall
  return { tool, input: JSON.stringify({ ...(JSON.parse(input) as object), ...more }) }
}

function linesOf(parts: readonly string[]): Words {
  const lines: string[][] = [[]]
  for (const part of parts) {
    if (part === lineBreak) lines.push([])
    else lines.at(-1)?.push(part)
  }
  return lines
}

const anyWord = /\.w\d+~*;|<same\d+>/g

/** The words that can be read in a request, without those that many lines have. */
export function wordsIn(messages: readonly MessageDraft[]): ReadonlySet<string> {
  const texts = messages.flatMap(({ items }) => items.map(({ text }) => text))
  return new Set(texts.join('\n').match(/\.w\d+~*;/g))
}
