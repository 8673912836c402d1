import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Memory } from '../../src/memory/memory.ts'
import { observe } from '../../src/memory/observe.ts'
import { statusAt } from '../../src/memory/state/as-of.ts'
import { freshMemory, type Measure, percent, randomNumbers } from './measure.ts'

const place = { project: 'bench', session: 'bench' } as const

/** A fact about the world, and the value that a later sentence gives, if one does. */
interface WorldFact {
  readonly said: string
  readonly subject: string
  readonly value: string
  readonly later?: { readonly said: string; readonly value: string }
}

/** Each line is a form of a sentence with the subjects and values that it is said of. */
function readFacts(group: 'train' | 'fresh'): readonly WorldFact[] {
  const file = path.join('bench', 'memory', 'chats', `world-${group}.txt`)
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => {
      const [form = '', ...cases] = line.split(' | ')
      // `{} is the director of {}` names the value first.
      const isValueFirst = / is the \w+ of \{\}/.test(form)
      const say = (subject: string, value: string): string =>
        form
          .replace('{}', isValueFirst ? value : subject)
          .replace('{}', isValueFirst ? subject : value)
      return cases.map((each) => {
        const [subject = '', values = ''] = each.split(': ')
        const [value = '', newer] = values.split(' > ')
        const fact = { subject, value, said: say(subject, value) }
        return newer === undefined
          ? fact
          : { ...fact, later: { value: newer, said: say(subject, newer) } }
      })
    })
}

type Telling = 'one by one' | 'as a list'

function tell(memory: Memory, sentences: readonly string[], telling: Telling): void {
  const texts =
    telling === 'one by one'
      ? sentences
      : [`Here is a list of facts:\n${sentences.map((each, at) => `${at}. ${each}`).join('\n')}`]
  for (const [at, text] of texts.entries())
    observe(memory, { id: String(at), role: 'user', text }, place)
}

/** Sentences about the world, in random order; of two that conflict the later one must be current, by its value. */
export function measureWorldFacts(show: (line: string) => void): readonly Measure[] {
  return (['train', 'fresh'] as const).flatMap((group) =>
    (['one by one', 'as a list'] as const).map((telling) => {
      const facts = readFacts(group)
      const random = randomNumbers(7)
      const shuffle = (sentences: readonly string[]): readonly string[] =>
        sentences
          .map((said) => ({ said, key: random() }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ said }) => said)
      const memory = freshMemory()
      tell(
        memory,
        [
          ...shuffle(facts.map(({ said }) => said)),
          ...shuffle(facts.flatMap(({ later }) => (later === undefined ? [] : [later.said]))),
        ],
        telling,
      )
      const now = memory.now()
      const current = [...memory.state.items.values()]
        .filter((entry) => statusAt(entry, now) === 'current')
        .map(({ item }) => item)
      const holds = (subject: string, value: string): boolean =>
        current.some((item) => item.text.includes(subject) && item.value === value)
      const updated = facts.filter(({ later }) => later !== undefined)
      let right = 0
      for (const { subject, value, later, said } of updated) {
        const isRight = holds(subject, later!.value) && !holds(subject, value)
        if (isRight) right++
        else if (group === 'train') show(`  ${telling}: ${said} → ${later!.value}`)
      }
      return {
        name: `${group} facts about the world, newest by value, told ${telling}`,
        value: `${percent(right, updated.length)} (${right} of ${updated.length})`,
        goal: '≥ 90 %',
        reached: right / updated.length >= 0.9,
      }
    }),
  )
}
