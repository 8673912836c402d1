import { type Injected, injections, noInjections, type Unframed } from './reading.ts'

const open = '<system-reminder>'
const close = '</system-reminder>'

/** Removes reminders from the end of a text. The agent adds them to any text. */
export function withoutTrailingReminders(text: string): Unframed {
  if (!text.trimEnd().endsWith(close)) return { body: text, injected: noInjections }
  const injected: Injected[] = []
  let body = text
  for (;;) {
    const trimmed = body.trimEnd()
    if (!trimmed.endsWith(close)) return { body, injected }
    const start = trimmed.lastIndexOf(open)
    if (start === -1) return { body, injected }
    injected.unshift({ kind: 'system-reminder', text: trimmed.slice(start) })
    // Agents put an empty line before a reminder.
    body = withoutLineBreaks(body, start)
  }
}

function withoutLineBreaks(text: string, end: number): string {
  const gap = text.endsWith('\n\n', end) ? 2 : text.endsWith('\n', end) ? 1 : 0
  return text.slice(0, end - gap)
}

/** Removes reminders on separate lines, anywhere in a text. */
export function withoutReminders(text: string): Unframed {
  if (!text.includes(open)) return { body: text, injected: noInjections }
  const { body: whole, injected: trailing } = withoutTrailingReminders(text)
  const injected: Injected[] = []
  const kept: string[] = []
  let at = 0
  for (;;) {
    const start = whole.indexOf(open, at)
    const end = start === -1 ? -1 : whole.indexOf(close, start)
    if (start === -1 || end === -1) break
    const after = end + close.length
    const alone =
      (start === 0 || whole[start - 1] === '\n') &&
      (after === whole.length || whole[after] === '\n')
    if (alone) {
      kept.push(whole.slice(at, start))
      injected.push({ kind: 'system-reminder', text: whole.slice(start, after) })
    } else {
      kept.push(whole.slice(at, after))
    }
    at = alone && whole[after] === '\n' ? after + 1 : after
  }
  kept.push(whole.slice(at))
  return { body: kept.join(''), injected: [...injected, ...trailing] }
}

const diagnosticsHeads = [
  /LSP errors detected in [^\n]*\n<diagnostics[ >]/,
  /This file has errors, please fix\n<file_diagnostics>/,
  /<(?:file_diagnostics|project_diagnostics|new-diagnostics|diagnostics)[ >]/,
]
const diagnosticsEnd =
  /<\/(?:diagnostics|file_diagnostics|project_diagnostics|new-diagnostics)>\s*$/

/** Removes the diagnostics of language servers after an edit, which always come last. */
export function withoutDiagnostics(text: string): Unframed {
  if (!diagnosticsEnd.test(text.slice(-200))) return { body: text, injected: noInjections }
  const starts = diagnosticsHeads.map((head) => text.search(head)).filter((start) => start !== -1)
  if (starts.length === 0) return { body: text, injected: [] }
  const start = Math.min(...starts)
  return {
    body: text.slice(0, start).trimEnd(),
    injected: injections('diagnostics', text.slice(start)),
  }
}

const frameEnd =
  /^(?:<\/(?:content|file)>|\((?:End of file|Showing lines|Output (?:capped|truncated)|File has more lines|\d+ more lines)[^\n]*\)|\[(?:Showing lines|\d+ more lines)[^\n]*\]|Review the changes and make sure[^\n]*)/

/**
 * Reads the text after the numbered lines of a file. null if it has anything but known frames, because then the numbers
 * are part of the file.
 */
export function frameTail(rest: string): readonly Injected[] | null {
  if (rest === '') return noInjections
  const injected: Injected[] = []
  let text = rest.trim()
  while (text !== '') {
    if (text.startsWith(open)) {
      const end = text.indexOf(close)
      if (end === -1) return null
      injected.push({ kind: 'system-reminder', text: text.slice(0, end + close.length) })
      text = text.slice(end + close.length).trimStart()
      continue
    }
    const footer = frameEnd.exec(text)?.[0]
    if (footer === undefined) {
      const diagnostics = withoutDiagnostics(text)
      return diagnostics.body.trim() === '' ? [...injected, ...diagnostics.injected] : null
    }
    if (!footer.startsWith('</')) injected.push({ kind: 'footer', text: footer })
    text = text.slice(footer.length).trimStart()
  }
  return injected
}

/** Removes reminders from the beginning of a text. */
export function withoutLeadingReminders(text: string): Unframed {
  if (!/^\s*</.test(text)) return { body: text, injected: noInjections }
  const injected: Injected[] = []
  let body = text
  while (body.trimStart().startsWith(open)) {
    const end = body.indexOf(close)
    if (end === -1) break
    injected.push({ kind: 'system-reminder', text: body.slice(0, end + close.length).trim() })
    body = body.slice(end + close.length).replace(/^\n{1,2}/, '')
  }
  return { body, injected }
}
