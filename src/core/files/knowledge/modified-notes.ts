import type { Message } from '../../words/item.ts'
import type { FileGlimpse } from '../../words/reading.ts'

/**
 * The files that an agent's own reminders report as changed by somebody else, with the lines that they show of them.
 * Claude Code writes such notes to its model between the results and what the user says.
 */
export function modifiedFiles({ role, items }: Message): readonly FileGlimpse[] {
  if (role === 'assistant' || role === 'system') return none
  let found: FileGlimpse[] | null = null
  for (const item of items) {
    if (item.kind !== 'text' && item.kind !== 'result') continue
    // What a file or a command prints is no reminder: in a result, one stands at the very end.
    if (item.kind === 'result' && !mayEndWithTag(item.text)) continue
    const end = item.text.trimEnd()
    if (!end.endsWith('</system-reminder>')) continue
    const text = item.kind === 'text' ? end : end.slice(end.lastIndexOf('<system-reminder>'))
    found ??= []
    found.push(...[...text.matchAll(reminder)].flatMap(([, said = '']) => noteIn(said) ?? []))
  }
  return found ?? none
}

const none: readonly FileGlimpse[] = []

const closingBracket = 0x3e
const blank = 0x20

/** False where the last character tells already, as it does for nearly every result. */
function mayEndWithTag(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last === closingBracket || last <= blank || last > 0x7e
}

const reminder = /<system-reminder>([\s\S]*?)<\/system-reminder>/g
const note =
  /^[^\S\n]*(?:Note: (.+?) was modified, either by the user or by a linter\b.*|edited_text_file (.+))$/m
const numbered = /^ *(\d+)(?:→|\t)(.*)$/

function noteIn(said: string): FileGlimpse | null {
  const found = note.exec(said)
  if (found === null) return null
  const path = (found[1] ?? found[2] ?? '').trim()
  const stretches: { first: number; lines: string[] }[] = []
  for (const line of said.slice(found.index + found[0].length).split('\n')) {
    const [, number, text] = numbered.exec(line) ?? []
    if (number === undefined || text === undefined) continue
    const last = stretches.at(-1)
    if (last !== undefined && Number(number) === last.first + last.lines.length) {
      last.lines.push(text)
    } else stretches.push({ first: Number(number), lines: [text] })
  }
  return { path, stretches, complete: false }
}
