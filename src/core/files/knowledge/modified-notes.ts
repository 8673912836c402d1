import type { Message } from '../../words/item.ts'

/**
 * The paths of files that an agent's reminders report as changed outside of it, as the reminders write them. Claude Code
 * adds such reminders between the results and the user's text.
 */
export function modifiedFiles({ role, items }: Message): readonly string[] {
  if (role === 'assistant' || role === 'system') return []
  return items.flatMap((item) => {
    if (item.kind !== 'text' && item.kind !== 'result') return []
    const end = item.text.trimEnd()
    if (!end.endsWith('</system-reminder>')) return []
    // Files and commands may print text like a reminder, so in a result only the last one counts, at the very end.
    const text = item.kind === 'text' ? end : end.slice(end.lastIndexOf('<system-reminder>'))
    return [...text.matchAll(reminder)].flatMap(([, text = '']) => pathIn(text) ?? [])
  })
}

const reminder = /<system-reminder>([\s\S]*?)<\/system-reminder>/g
const note =
  /^[^\S\n]*(?:Note: (.+?) was modified, either by the user or by a linter\b.*|edited_text_file (.+))$/m

function pathIn(text: string): string | null {
  const found = note.exec(text)
  return found === null ? null : (found[1] ?? found[2] ?? '').trim()
}
