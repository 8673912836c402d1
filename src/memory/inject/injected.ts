import { sectionsText } from '../context/sections.ts'

/** One injected line: an item that is current, or one that no longer is. */
export interface InjectedLine {
  readonly item: string
  readonly section: 'preference' | 'fact' | 'decision' | 'gone'
  readonly text: string
  /** What it replaced, when that was injected too. */
  readonly was?: { readonly item: string; readonly text: string }
}

/**
 * Memory that was injected at one position of a conversation. It is stored in the log, so that every later request has
 * the same bytes there, also after a restart and in other processes.
 */
export interface Injected {
  readonly session: string
  /** `context`: all current items. `changes`: what changed since. */
  readonly form: 'context' | 'changes'
  /** Identifies the message before or after which it is inserted. */
  readonly place: string
  readonly side: 'before' | 'behind'
  readonly lines: readonly InjectedLine[]
}

/** The text; null when there is none. */
export function injectedText({ form, lines }: Injected): string | null {
  if (lines.length === 0) return null
  const texts = lines.map((line) => ({ section: line.section, text: lineText(line) }))
  const body = form === 'context' ? sectionsText(texts) : texts.map(({ text }) => text).join('\n')
  const opening =
    form === 'context'
      ? 'Remembered from earlier sessions; what the user says here stands above it.'
      : 'What is remembered has changed:'
  return `<memory>\n${opening}\n\n${body}\n</memory>`
}

function lineText({ section, text, was }: InjectedLine): string {
  if (section === 'gone') return `- no longer: ${text}`
  return `- ${text}${was === undefined ? '' : ` (was: ${was.text})`}`
}

/** Removes forgotten items; returns the same object when it has none of them. */
export function withoutItems(injected: Injected, forgotten: ReadonlySet<string>): Injected {
  const named = ({ item, was }: InjectedLine): boolean =>
    forgotten.has(item) || (was !== undefined && forgotten.has(was.item))
  if (!injected.lines.some(named)) return injected
  const lines = injected.lines
    .filter(({ item }) => !forgotten.has(item))
    .map((line) => {
      if (!named(line)) return line
      const { was: _, ...rest } = line
      return rest
    })
  return { ...injected, lines }
}
