import {
  replacedReminder,
  shortSkillListing,
  shortSkillText,
} from '../../render/shorten-client-text.ts'
import { type ClientText, clientTextOf } from '../../words/client-text.ts'
import type { How, RenditionProposal } from '../../words/decision.ts'
import type { Item } from '../../words/item.ts'
import type { Proposals, Strategy, StrategyFactory, View } from '../strategy.ts'
import { isUntouched } from './untouched.ts'

/*
 * Texts that the client added to the user's turns. They are shortened or replaced only after they were sent, where sent
 * bytes change anyway. `clientTextOf` and the guard make sure that the user's own words are never among them.
 */

/** `skillListings`: a list of skills older than `turns` requests keeps every name and the beginning of each description. */
export const skillListings: StrategyFactory = (settings) => {
  const { enabled, turns } = settings.skillListings
  if (!enabled) return null
  return aging('skillListings', 'skill-listing', (item, view) =>
    view.turn - item.turn < turns ? null : shortSkillListing(item.text, recallOf(item, view)),
  )
}

/** `skillTexts`: the text of a skill keeps its beginning and its headings after `turns` requests, once the user has spoken again. */
export const skillTexts: StrategyFactory = (settings) => {
  const { enabled, turns } = settings.skillTexts
  if (!enabled) return null
  let lastPrompt = 0
  const strategy = aging('skillTexts', 'skill-text', (item, view) =>
    view.turn - item.turn < turns || lastPrompt <= item.turn
      ? null
      : shortSkillText(item.text, recallOf(item, view)),
  )
  return {
    ...strategy,
    message(message, view) {
      if (message.role === 'user' && message.items.some(isPrompt))
        lastPrompt = message.items[0]?.turn ?? lastPrompt
      return strategy.message?.(message, view)
    },
  }
}

/** `reminderSupersede`: of the lists of skills and of the reminders of the task list, the newest stays. */
export const reminderSupersede: StrategyFactory = (settings) => {
  if (!settings.reminderSupersede) return null
  const strategy = 'reminderSupersede'
  const words = { 'skill-listing': 'list of skills', 'task-reminder': 'reminder of the task list' }
  const newest = new Map<ClientText, Item>()
  let older: { readonly item: Item; readonly by: Item; readonly what: string }[] = []
  return {
    name: strategy,
    items: ['text'],
    message({ items }) {
      for (const item of items) {
        const kind = clientTextIn(item)
        if (kind === null || kind === 'skill-text') continue
        const before = newest.get(kind)
        if (before !== undefined) older.push({ item: before, by: item, what: words[kind] })
        newest.set(kind, item)
      }
    },
    *epoch(view) {
      const waiting: typeof older = []
      for (const each of older) {
        const { item, by, what } = each
        if (!view.mayChange(item) || !view.isVisible(by)) waiting.push(each)
        else {
          const text = replacedReminder(what, item.text, recallOf(item, view))
          if (text !== null) yield proposalOf(item, 'superseded', text, strategy, by)
        }
      }
      older = waiting
    },
  }
}

/** Shortens texts of one kind in an epoch, as soon as `shorten` returns a text. */
function aging(
  name: string,
  kind: ClientText,
  shorten: (item: Item, view: View) => string | null,
): Strategy {
  let open: Item[] = []
  return {
    name,
    items: ['text'],
    message({ items }) {
      open.push(...items.filter((item) => clientTextIn(item) === kind))
    },
    *epoch(view): Proposals {
      const waiting: Item[] = []
      for (const item of open) {
        const text = view.mayChange(item) && isUntouched(item, view) ? shorten(item, view) : null
        if (text === null) waiting.push(item)
        else yield proposalOf(item, 'truncated', text, name, null)
      }
      open = waiting
    },
  }
}

function clientTextIn(item: Item): ClientText | null {
  return item.kind === 'text' && item.role === 'user' ? clientTextOf(item.text) : null
}

/** True for a text that the user may have written. */
function isPrompt(item: Item): boolean {
  return item.kind === 'text' && !item.text.startsWith('<') && clientTextOf(item.text) === null
}

function recallOf({ handle }: Item, { restore }: View): { handle: string; restore: string | null } {
  return { handle, restore }
}

function proposalOf(
  item: Item,
  how: How,
  text: string,
  strategy: string,
  by: Item | null,
): RenditionProposal {
  return { kind: 'show', item, rendition: { how, text }, reason: 'injected', strategy, by }
}
