import type { Action } from '../core/words/action.ts'
import { fieldsOf } from './call-input.ts'
import { textEditorCall } from './text-editor.ts'

/**
 * Reads a command line of SWE-agent's own tools; null for a shell command. The path is empty for commands that work on
 * the open file.
 */
export function sweAgentAction(text: string): Action | null {
  const line = text.trimStart()
  const name = /^[a-z_]+(?=\s|$)/.exec(line)?.[0] ?? ''
  if (!tools.has(name)) return null
  const block = /^edit\s+(\d+):(\d+)[ \t]*\r?\n([\s\S]*)$/.exec(line)
  if (block !== null) return lineEdit(Number(block[1]), Number(block[2]), block[3] ?? '')
  const words = commandWords(line)
  // A line with an operator is a shell command.
  if (words === null) return null
  const [, first, second, third] = words
  switch (name) {
    case 'open':
      return first === undefined ? null : { kind: 'read', path: first, lines: null }
    case 'goto':
    case 'scroll_up':
    case 'scroll_down':
      return { kind: 'read', path: '', lines: null }
    case 'create':
      return first === undefined || words.length > 2
        ? null
        : { kind: 'write', path: first, content: '\n' }
    case 'search_dir':
      return search(first, second ?? null)
    case 'search_file':
      return search(first, second ?? '')
    case 'find_file':
      return first === undefined ? null : { kind: 'glob', pattern: first, path: second ?? null }
    case 'insert':
      return insertion(first, second)
    case 'edit':
      return replacement(first, second, third)
    case 'undo_edit':
      return { kind: 'edit', path: first ?? '', edits: [{ kind: 'undo' }] }
    case 'submit':
    case 'exit_cost':
    case 'exit_forfeit':
      return { kind: 'other' }
    default:
      return textEditorLine(words)
  }
}

const tools = new Set([
  'open',
  'goto',
  'scroll_up',
  'scroll_down',
  'create',
  'search_dir',
  'search_file',
  'find_file',
  'insert',
  'edit',
  'undo_edit',
  'submit',
  'exit_cost',
  'exit_forfeit',
  'str_replace_editor',
])

/** True for the names of SWE-agent's own tools. */
export function isSweAgentTool(name: string): boolean {
  return tools.has(name)
}

function lineEdit(start: number, end: number, rest: string): Action | null {
  const lines = rest.split('\n')
  const stop = lines.findIndex((line) => line.trim() === 'end_of_edit')
  const text = (stop === -1 ? lines : lines.slice(0, stop)).join('\n')
  if (start < 1 || end < start) return null
  return { kind: 'edit', path: '', edits: [{ kind: 'lines', lines: { start, end }, text }] }
}

function search(pattern: string | undefined, path: string | null): Action | null {
  return pattern === undefined ? null : { kind: 'search', pattern, path, include: null }
}

function insertion(text: string | undefined, line: string | undefined): Action | null {
  if (text === undefined) return null
  const afterLine = line === undefined ? null : Number(line)
  // Without a line number the text goes to the end of the open file, which is unknown.
  if (afterLine === null || !Number.isInteger(afterLine)) return { kind: 'other' }
  return { kind: 'edit', path: '', edits: [{ kind: 'insert', afterLine, text }] }
}

function replacement(
  oldText: string | undefined,
  newText: string | undefined,
  option: string | undefined,
): Action | null {
  if (oldText === undefined || newText === undefined) return null
  const range = /^(\d+):(\d+)$/.exec(oldText)
  if (range !== null) return lineEdit(Number(range[1]), Number(range[2]), newText)
  const all = option === 'replace-all' || option === '--replace-all' || option === 'True'
  return { kind: 'edit', path: '', edits: [{ kind: 'replace', oldText, newText, all }] }
}

/** `str_replace_editor view /a.py --view_range 1 20`: an option takes all words up to the next option. */
function textEditorLine(words: readonly string[]): Action | null {
  const input: Record<string, unknown> = { command: words[1], path: words[2] }
  for (let index = 3; index < words.length; index += 1) {
    const option = /^--(\w+)$/.exec(words[index] ?? '')?.[1]
    if (option === 'view_range') input[option] = [words[index + 1], words[index + 2]]
    else if (option !== undefined) input[option] = words[index + 1]
    if (option !== undefined) index += option === 'view_range' ? 2 : 1
  }
  return textEditorCall(fieldsOf(input))
}

/**
 * Splits a command line of an agent's own tools into words, as a shell would. null if it has an operator outside quotes,
 * because then it is a shell command.
 */
function commandWords(line: string): readonly string[] | null {
  const words: string[] = []
  let word: string | null = null
  for (let index = 0; index < line.length; index += 1) {
    const char = line[index] ?? ''
    if (char === "'") {
      const end = line.indexOf("'", index + 1)
      word = (word ?? '') + line.slice(index + 1, end === -1 ? undefined : end)
      index = end === -1 ? line.length : end
    } else if (char === '"') {
      const [text, end] = doubleQuoted(line, index + 1)
      word = (word ?? '') + text
      index = end
    } else if (char === '\\') {
      word = (word ?? '') + (line[index + 1] ?? '')
      index += 1
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word)
      word = null
    } else if (/[|&;<>]/.test(char)) {
      return null
    } else {
      word = (word ?? '') + char
    }
  }
  if (word !== null) words.push(word)
  return words
}

function doubleQuoted(line: string, start: number): readonly [string, number] {
  let text = ''
  let index = start
  for (; index < line.length && line[index] !== '"'; index += 1) {
    const next = line[index + 1] ?? ''
    if (line[index] === '\\' && /["\\$`]/.test(next)) index += 1
    text += line[index] ?? ''
  }
  return [text, index]
}
