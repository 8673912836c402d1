import type { MessageDraft } from '../../../src/core/words/item.ts'
import type { Injected } from '../../../src/core/words/reading.ts'
import type { SeenCall } from './side.ts'

/**
 * What is on the wire and in no recording. Nothing else may differ between a live session and its replay, and the table in
 * docs/gateway.md lists the same.
 */

/** Claude Code adds these to the last result of a request; its transcript does not keep them. */
const reminders: readonly RegExp[] = [
  /^<system-reminder>\s*<total_tokens>\d+ tokens left<\/total_tokens>\s*<\/system-reminder>$/,
  /^<system-reminder>\s*The task tools haven't been used recently\./,
]

export function isWireOnly({ kind, text }: Injected): boolean {
  return kind === 'system-reminder' && reminders.some((reminder) => reminder.test(text))
}

type Reading = NonNullable<SeenCall['reading']>

/** Both readings of a call, without what is only on the wire: reminders, and the blanks that were trimmed before them. */
export function withoutWireOnly(
  live: SeenCall,
  replayed: SeenCall,
): readonly [Omit<SeenCall, 'injected'>, Omit<SeenCall, 'injected'>] {
  const { injected, ...sent } = live
  const { injected: _, ...recorded } = replayed
  const shown = sent.status === 'error' ? withShortFailure(sent) : sent
  if (!injected.some(isWireOnly)) return [shown, recorded]
  const both = [shown, recorded].map(({ reading, ...call }) => ({
    ...call,
    reading: reading === null ? null : trimmed(reading),
  }))
  return both as [Omit<SeenCall, 'injected'>, Omit<SeenCall, 'injected'>]
}

function withShortFailure(call: Omit<SeenCall, 'injected'>): Omit<SeenCall, 'injected'> {
  const { reading } = call
  if (reading === null) return call
  const { body, lines } = reading
  const texts = lines?.lines.map(shortFailure)
  return {
    ...call,
    reading: {
      ...reading,
      body: shortFailure(body),
      lines: lines === null || texts === undefined ? null : { ...lines, lines: texts },
    },
  }
}

function trimmed({ trimmed: _, ...reading }: Reading): Reading {
  const { body, lines } = reading
  const last = (lines?.lines.length ?? 0) - 1
  const texts = lines?.lines.map((line, at) => {
    const begun = at === 0 ? line.trimStart() : line
    return at === last ? begun.trimEnd() : begun
  })
  return {
    ...reading,
    body: body.trim(),
    lines: lines === null || texts === undefined ? null : { ...lines, lines: texts },
  }
}

const reminder = /\s*<system-reminder>[\s\S]*?<\/system-reminder>/g

/** Pi's stand-ins for an empty result, which OpenAI's APIs do not take. */
const emptyResults: readonly string[] = ['(see attached image)', '(no tool output)']

/** What Copilot CLI says of a call that failed, and the short form that its events have instead (`data.error.message`). */
const shortFailures: readonly (readonly [RegExp, string])[] = [
  [/^Path [^\n]* already exists as a file\.[^\n]*$/, 'Path already exists'],
  [/^Path [^\n]* does not exist\. Please provide a valid path\.$/, 'Path does not exist'],
  [/^Invalid view_range: [^\n]*$/, 'view_range out of bounds'],
  [/^No match found: [^\n]*$/, 'No match found'],
]

function shortFailure(text: string): string {
  return shortFailures.find(([long]) => long.test(text))?.[1] ?? text
}

/** A text as a recording has it. */
export function asReplayed(text: string): string {
  if (emptyResults.includes(text)) return ''
  return shortFailure(text).replaceAll(reminder, (each) =>
    isWireOnly({ kind: 'system-reminder', text: each.trim() }) ? '' : each,
  )
}

/** System prompts that are sent as messages; recordings do not keep them. */
export function systemPromptIn(
  live: readonly MessageDraft[],
  recorded: readonly MessageDraft[],
): readonly MessageDraft[] {
  const known = new Set(recorded.map(({ items }) => items[0]?.text))
  const first = live.findIndex(({ role }) => role === 'user')
  return live
    .slice(0, first)
    .filter(
      ({ role, items }) =>
        (role === 'system' || role === 'developer') && !known.has(items[0]?.text),
    )
}
