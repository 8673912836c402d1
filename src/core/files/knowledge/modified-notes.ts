import type { Message } from '../../words/item.ts'

/**
 * The files that an agent's own reminders report as changed by somebody else, as the reminders spell them. Claude Code
 * writes such notes to its model between the results and what the user says.
 */
export function modifiedFiles({ role, items }: Message): readonly string[] {
  if (role === 'assistant' || role === 'system') return []
  return items.flatMap((item) => {
    if (item.kind !== 'text' && item.kind !== 'result') return []
    const end = item.text.trimEnd()
    if (!end.endsWith('</system-reminder>')) return []
    // A file or a command may print something like a reminder; in a result, a real one stands at the very end.
    const text = item.kind === 'text' ? end : end.slice(end.lastIndexOf('<system-reminder>'))
    return [...text.matchAll(reminder)].flatMap(([, said = '']) => pathIn(said) ?? [])
  })
}

const reminder = /<system-reminder>([\s\S]*?)<\/system-reminder>/g
const note =
  /^[^\S\n]*(?:Note: (.+?) was modified, either by the user or by a linter\b.*|edited_text_file (.+))$/m

function pathIn(said: string): string | null {
  const found = note.exec(said)
  return found === null ? null : (found[1] ?? found[2] ?? '').trim()
}
