import { clientTextOf } from '../../src/core/words/client-text.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import type { TracedItem } from '../score/session.ts'

/** The default preset with one thing changed. */
export interface Variant {
  readonly name: string
  /** Without such an item, a session is the same as under the default. */
  concerns?(item: TracedItem): boolean
  change(settings: Settings): Settings
}

const risks = [0.15, 0.3, 0.6]

/** Each strategy that lets something leave for its age or kind is measured alone: by what is lost without it. */
const without: readonly Variant[] = [
  { name: 'without `retention`', change: (own) => ({ ...own, retention: off(own.retention) }) },
  { name: 'without `oldInputs`', change: (own) => ({ ...own, oldInputs: off(own.oldInputs) }) },
  {
    name: 'without `pruneThinking`',
    concerns: ({ kind }) => kind === 'reasoning',
    change: (own) => ({ ...own, pruneThinking: off(own.pruneThinking) }),
  },
  {
    name: 'without `reminderSupersede`',
    concerns: isClientText,
    change: (own) => ({ ...own, reminderSupersede: false }),
  },
  {
    name: 'without `skillListings`',
    concerns: ({ text }) => clientTextOf(text) === 'skill-listing',
    change: (own) => ({ ...own, skillListings: off(own.skillListings) }),
  },
  {
    name: 'without `skillTexts`',
    concerns: ({ text }) => clientTextOf(text) === 'skill-text',
    change: (own) => ({ ...own, skillTexts: off(own.skillTexts) }),
  },
  {
    name: 'without `planSupersede`',
    concerns: ({ tool }) => /plan/i.test(tool ?? ''),
    change: (own) => ({ ...own, planSupersede: false }),
  },
  {
    name: 'without `screenshotSupersede`',
    concerns: ({ kind }) => kind === 'attachment',
    change: (own) => ({ ...own, screenshotSupersede: false }),
  },
]

export const variants: readonly Variant[] = [
  ...risks.map((risk) => ({
    name: `\`retention.risk\` ${risk}`,
    change: (own: Settings) => ({ ...own, retention: { ...own.retention, risk } }),
  })),
  {
    name: '`oldInputs.turns` 24',
    change: (own) => ({ ...own, oldInputs: { ...own.oldInputs, turns: 24 } }),
  },
  ...without,
]

function isClientText({ text }: TracedItem): boolean {
  return clientTextOf(text) !== null
}

function off<Key extends { readonly enabled: boolean }>(key: Key): Key {
  return { ...key, enabled: false }
}
