import type { Settings } from '../../src/core/words/settings.ts'

/** The default preset with one thing changed. */
export interface Variant {
  readonly name: string
  change(settings: Settings): Settings
}

const risks = [0.15, 0.45, 0.6]

/** Each strategy that lets something leave for its age or kind is measured alone: by what is lost without it. */
const without: readonly Variant[] = [
  { name: 'without `retention`', change: (own) => ({ ...own, retention: off(own.retention) }) },
  { name: 'without `oldInputs`', change: (own) => ({ ...own, oldInputs: off(own.oldInputs) }) },
  {
    name: 'without `pruneThinking`',
    change: (own) => ({ ...own, pruneThinking: off(own.pruneThinking) }),
  },
  {
    name: 'without `skillListings`',
    change: (own) => ({ ...own, skillListings: off(own.skillListings) }),
  },
  { name: 'without `skillTexts`', change: (own) => ({ ...own, skillTexts: off(own.skillTexts) }) },
  {
    name: 'without `reminderSupersede`',
    change: (own) => ({ ...own, reminderSupersede: false }),
  },
  { name: 'without `planSupersede`', change: (own) => ({ ...own, planSupersede: false }) },
  {
    name: 'without `screenshotSupersede`',
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

function off<Key extends { readonly enabled: boolean }>(key: Key): Key {
  return { ...key, enabled: false }
}
