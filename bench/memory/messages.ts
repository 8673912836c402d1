import { readFileSync } from 'node:fs'
import path from 'node:path'
import { keyOfText } from '../../src/memory/key-of-text.ts'
import type { Memory } from '../../src/memory/memory.ts'
import { observe } from '../../src/memory/observe.ts'
import { statusAt } from '../../src/memory/state/as-of.ts'
import type { ItemState } from '../../src/memory/state/memory-state.ts'
import { freshMemory, type Measure, percent } from './measure.ts'

const folder = path.join('bench', 'memory', 'messages')
const place = { project: 'bench', session: 'bench' } as const

/**
 * The groups differ in writers and topics. Rules were written against `train`; docs/memory.md says how often the others were
 * measured.
 */
const groups = ['train', 'test', 'fresh', 'unseen', 'control', 'stated'] as const
type Group = (typeof groups)[number]

interface Case {
  readonly style: string
  readonly before: string
  readonly message: string
  readonly expected: string
}

/** Lines of `before | message | expected` under a heading per style. */
function readCases(group: Group, set: 'changes' | 'nothing' | 'pairs'): readonly Case[] {
  let style = ''
  return readFileSync(path.join(folder, `${group}-${set}.txt`), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('#')) style = line.slice(2)
      if (line === '' || line.startsWith('#')) return []
      const [before = '', message = '', expected = ''] = line.split(' | ')
      return [{ style, before, message, expected }]
    })
}

/** The message that states what was before. */
const first = 'before'

/**
 * Stores the state before: `p KEY = VALUE`, `f TEXT` or `d TEXT`, as `memory add` does. `s SENTENCE` is said in an earlier
 * message.
 */
function remember(memory: Memory, before: string): string | undefined {
  if (before === '-') return undefined
  const [letter, text] = [before[0], before.slice(2)]
  if (letter === 's') {
    observe(memory, { id: first, role: 'user', text }, place)
    return undefined
  }
  const scope = 'project:bench' as const
  if (letter === 'p') {
    const [key = '', value = ''] = text.split(' = ')
    const item = { kind: 'preference', category: 'general', scope } as const
    return memory.add({ ...item, text: `${key}: ${value}`, attribute: key, value }).id
  }
  const kind = letter === 'f' ? 'fact' : 'decision'
  return memory.add({ kind, text, subject: 'project', scope, ...keyOfText(text) }).id
}

interface Result {
  readonly isRight: boolean
  readonly said: string
}

function check({ before, message, expected }: Case): Result {
  const memory = freshMemory()
  const old = remember(memory, before)
  const { changes } = observe(memory, { id: '1', role: 'user', text: message }, place)
  const said = changes.map(({ op, key, value }) => `${op} ${key ?? ''}: ${value}`).join('; ')
  if (expected === '') return { isRight: changes.length === 0, said }
  const { state } = memory
  const now = memory.now()
  const flagged = new Set([...state.flags.values()].flatMap(({ items }) => items))
  const current = [...state.items.values()].filter((entry) => statusAt(entry, now) === 'current')
  const isOld = ({ item }: ItemState): boolean => item.id === old || item.source.message === first
  const isOldSettled =
    current.filter(isOld).every(({ item }) => flagged.has(item.id)) &&
    (!before.startsWith('s ') || changes.some(({ op }) => op !== 'add'))
  const wanted = expected.toLowerCase()
  const isNewCurrent =
    expected === 'x' ||
    current.some(
      (entry) =>
        !isOld(entry) &&
        `${entry.item.text} ${entry.item.value ?? ''}`.toLowerCase().includes(wanted),
    )
  return { isRight: isOldSettled && isNewCurrent, said }
}

/** The first of a pair is said, or added as a fact; either way the second must leave it as it is. */
function checkPair({ before, message }: Case): Result {
  const results = [true, false].map((isSaid): Result => {
    const memory = freshMemory()
    if (isSaid) observe(memory, { id: '1', role: 'user', text: before }, place)
    else remember(memory, `f ${before}`)
    const { changes } = observe(memory, { id: '2', role: 'user', text: message }, place)
    const said = changes.map(({ op, key, value }) => `${op} ${key ?? ''}: ${value}`).join('; ')
    return { isRight: !changes.some(({ op }) => op === 'supersede' || op === 'retract'), said }
  })
  return results.find(({ isRight }) => !isRight) ?? results[0]!
}

/** Recall, false changes and wrongly replaced pairs. `show` gets each miss, with its group. */
export function measureMessages(
  show: (line: string, group: Group) => void,
  measured: readonly Group[] = groups,
): readonly Measure[] {
  return measured.flatMap((group) => {
    const count = (
      set: 'changes' | 'nothing' | 'pairs',
      test: (each: Case) => Result,
    ): { readonly right: number; readonly all: number } => {
      const cases = readCases(group, set)
      let right = 0
      for (const each of cases) {
        const result = test(each)
        if (result.isRight) right++
        else
          show(
            `  ${set}: ${each.before} | ${each.message} | ${each.expected}  → ${result.said}`,
            group,
          )
      }
      return { right, all: cases.length }
    }
    const changed = count('changes', check)
    const kept = count('nothing', check)
    const pairs = count('pairs', checkPair)
    const share = ({ right, all }: typeof changed): number => right / all
    return [
      {
        name: `${group} messages that change memory, understood`,
        value: `${percent(changed.right, changed.all)} (${changed.right} of ${changed.all})`,
        goal: '≥ 80 %',
        reached: share(changed) >= 0.8,
      },
      {
        name: `${group} messages that change nothing, but did`,
        value: `${percent(kept.all - kept.right, kept.all)} (${kept.all - kept.right} of ${kept.all})`,
        goal: '≤ 1 %',
        reached: share(kept) >= 0.99,
      },
      {
        name: `${group} pairs that hold side by side, wrongly replaced`,
        value: `${percent(pairs.all - pairs.right, pairs.all)} (${pairs.all - pairs.right} of ${pairs.all})`,
        goal: '≤ 2 %',
        reached: share(pairs) >= 0.98,
      },
    ]
  })
}
