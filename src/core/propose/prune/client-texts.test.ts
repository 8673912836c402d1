import { describe, expect, it } from 'vitest'
import { engineFor, lines, messagesOf, only } from '../../../../test/engine/told-session.ts'
import type { MessageDraft } from '../../words/item.ts'
import type { Settings } from '../../words/settings.ts'

const listing = (words: string): string =>
  `<system-reminder>\nThe following skills are available for use with the Skill tool:\n\n${[
    `- deploy: ${words} ships the site, and ${'explains it at length '.repeat(20)}`,
    '- bare',
    `- plugin:review: ${words} looks for faults, and ${'explains it at length '.repeat(20)}`,
  ].join('\n')}\n</system-reminder>`
const skill = `Base directory for this skill: /home/x/.claude/skills/deploy\n\n# Deploy\n\n${lines(1, 40)}\n\n## Roll back\n\n${lines(41, 80)}`
const tasks = (list: string): string =>
  `<system-reminder>\nThe task tools haven't been used recently. ${lines(1, 4)}\n${list}\n</system-reminder>`

const says = (...texts: readonly string[]): MessageDraft => ({
  role: 'user',
  items: texts.map((text) => ({ kind: 'text', text })),
})
const steps = (count: number, from = 0): readonly MessageDraft[] =>
  messagesOf(
    Array.from({ length: count }, (_, n) => [
      { id: `c${from + n}`, tool: 'bash', input: { command: `run ${from + n}` }, output: 'ok' },
    ]),
  ).slice(1)
const prune: readonly MessageDraft[] = messagesOf([
  [{ id: 'p', tool: 'context_prune', input: {}, output: 'done' }],
]).slice(1)

/** The texts of the user's turns as they are sent at the end. */
function shown(settings: Partial<Settings>, messages: readonly MessageDraft[]): readonly string[] {
  const engine = engineFor(only({ schedule: 'on-demand', ...settings }))
  for (let told = 1; told <= messages.length; told++)
    if (messages[told]?.role !== 'tool') engine.request(messages.slice(0, told))
  return engine.record.items
    .filter(({ kind, role }) => kind === 'text' && role === 'user')
    .map(({ index, text }) => engine.ledger.of(index)?.rendition.text ?? text)
}

const aged = { enabled: true, turns: 4 }

describe('skillListings', () => {
  it('keeps every name and what the skill is for, and says how to get the rest back', () => {
    const [short = '', prompt] = shown({ skillListings: aged }, [
      says(listing('it'), 'Go.'),
      ...steps(5),
      ...prune,
    ])
    expect(prompt).toBe('Go.')
    expect(short).toMatch(/^<system-reminder>\nThe following skills are available/)
    expect(short).toMatch(
      /\n- deploy: it ships the site, and .* …\n- bare\n- plugin:review: it looks for/,
    )
    expect(short).toMatch(
      /\n\[… 3 descriptions shortened · context_restore [0-9a-f]{6}\]\n<\/system-reminder>$/,
    )
    expect(short.length).toBeLessThan(listing('it').length / 2)
  })

  it('waits until it is old, and for a moment at which sent bytes change', () => {
    const whole = [listing('it'), 'Go.']
    const told = says(...whole)
    expect(shown({ skillListings: aged }, [told, ...steps(2), ...prune])).toEqual(whole)
    expect(shown({ skillListings: aged }, [told, ...steps(9)])).toEqual(whole)
  })

  it.each([
    `${listing('it')}\nand deploy it`,
    `Look: ${listing('it')}`,
    listing('it').replace('skills are available', 'SKILLS are available'),
    listing('it').replace('- plugin', '</system-reminder>\n- plugin'),
  ])('never touches what the user may have written: %#', (words) => {
    const messages = [says(words), ...steps(9), ...prune]
    const all = { skillListings: aged, skillTexts: aged, reminderSupersede: true }
    expect(shown(all, messages)).toEqual([words])
  })
})

describe('skillTexts', () => {
  it('keep their beginning and their headings once the user has gone on', () => {
    const [, short = ''] = shown({ skillTexts: aged }, [
      says('Deploy.', skill),
      ...steps(3),
      says('And now something else.'),
      ...steps(3, 3),
      ...prune,
    ])
    expect(short).toMatch(/^Base directory for this skill: \/home\/x\/.claude\/skills\/deploy\n/)
    expect(short).toMatch(/\n## Roll back\n\[… the rest of the skill left out · context_restore /)
  })

  it('stay whole while the agent works on what the user asked for', () => {
    const messages = [says('Deploy.', skill), ...steps(9), ...prune]
    expect(shown({ skillTexts: aged }, messages)).toEqual(['Deploy.', skill])
  })
})

describe('reminderSupersede', () => {
  it('leaves the newest list of skills and the newest reminder of the task list', () => {
    const texts = shown({ reminderSupersede: true }, [
      says(listing('it'), 'Go.', tasks('1. one')),
      ...steps(1),
      says(listing('she'), 'On.', tasks('2. two')),
      ...steps(1, 1),
      ...prune,
    ])
    expect(texts).toEqual([
      expect.stringMatching(
        /^<system-reminder>\n\[list of skills · replaced by a later reminder · context_restore [0-9a-f]{6}\]\n/,
      ),
      'Go.',
      expect.stringMatching(
        /^<system-reminder>\n\[reminder of the task list · replaced by a later/,
      ),
      listing('she'),
      'On.',
      tasks('2. two'),
    ])
  })
})
