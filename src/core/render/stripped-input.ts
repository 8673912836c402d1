import type { Action } from '../words/action.ts'
import { plainKey } from '../words/call-key.ts'
import { isProgram, isProgramTool } from '../words/code-mode.ts'
import type { Rendition } from '../words/decision.ts'
import { isJsonObject, type JsonObject, parseJson } from '../words/json.ts'
import type { Operation } from '../words/operation.ts'
import { cutEnd } from './cut.ts'
import { shorterInput } from './input-note.ts'
import { inputNote, restoreHint } from './marks.ts'

const valueLimit = 100
const nameLimit = 300
const listLimit = 300

/** Keys of paths and identifiers. Their values stay whole, because half a path is a wrong path. */
const namingKeys: ReadonlySet<string> = new Set(
  [
    'path filepath absolutepath relativepath targetpath targetfile file filename notebookpath dirpath',
    'directory dir folder root cwd workdir workingdirectory uri fileuri url href source destination from to',
    'intent id cellid taskid shellid sessionid',
  ].flatMap((line) => line.split(' ')),
)

/** Keys of content: file texts, replaced and new texts, patches, lists, prompts. */
const contentKeys: ReadonlySet<string> = new Set(
  [
    'content contents filetext filecontent text newcontent oldcontent codecontent codeedit',
    'oldstring oldstr oldtext old searchtext newstring newstr newtext new replacement replacementtext',
    'replacetext replace inserttext newsource edits changes replacements patch patchtext diff input',
    'todos tasks plan items prompt body data',
  ].flatMap((line) => line.split(' ')),
)

/**
 * A call without the content in its input. Path, range, pattern, description, intent and other short values stay, and so
 * do the first 100 characters of a command and the file headers of a patch. A JSON object stays one and gets no new keys.
 * The note in the call's result says how to restore the rest. null when the result is not shorter.
 *
 * @example
 * ownText(strippedInput(write, 'context_restore')) // '{"filePath":"x.txt"}'
 * noteOf(strippedInput(write, 'context_restore')) // '[input left out · context_restore a1b2c3]'
 */
export function strippedInput(operation: Operation, restore: string | null): Rendition | null {
  const { text, handle } = operation.call
  const note = inputNote.write(restoreHint({ handle, restore }))
  const input = bareInput(operation)
  if (input === null) return null
  const rendition = shorterInput('stripped', input, note)
  return (rendition.text?.length ?? 0) < text.length ? rendition : null
}

/** The stripped input without a note; null when it is not shorter. */
export function bareInput({ call: { tool, text }, action }: Operation): string | null {
  const stripped = isProgramTool(tool) && isProgram(text) ? strippedProgram(action) : strip(text)
  return stripped === null || stripped.length >= text.length ? null : stripped
}

/** A comment in place of a program, which has no effect if a model sends it again. */
function strippedProgram(action: Action): string | null {
  if (action.kind !== 'shell') return null
  const files = action.changes.flatMap((change) => (change.kind === 'patch' ? change.files : []))
  const words = [...action.command.split('\n').slice(0, 1), ...files.map(({ path }) => path)]
  return `// ${cutEnd(words.join(' ').replaceAll(/\s+/g, ' '), nameLimit)}`
}

function strip(text: string): string | null {
  const value = parseJson(text)
  if (isJsonObject(value)) {
    const fields = stripFields(value)
    return fields.isLess ? JSON.stringify(fields.value) : null
  }
  // JSON that the model cut off must stay as it is.
  if (value !== undefined || /^\s*[{[]/.test(text)) return null
  const headers = patchHeaders(text)
  if (headers !== null) return headers
  return text.length <= valueLimit ? null : cutEnd(text, valueLimit)
}

interface Stripped<Value> {
  readonly value: Value
  readonly isLess: boolean
}

function stripFields(record: JsonObject): Stripped<JsonObject> {
  const kept: [string, unknown][] = []
  let isLess = false
  for (const key of Object.keys(record)) {
    const stripped = stripField(plainKey(key), record[key])
    if (stripped === null) {
      isLess = true
      continue
    }
    isLess ||= stripped.isLess
    kept.push([key, stripped.value])
  }
  return { value: Object.fromEntries(kept), isLess }
}

/** null when the field is removed. */
function stripField(key: string, value: unknown): Stripped<unknown> | null {
  if (contentKeys.has(key)) {
    const headers = typeof value === 'string' ? patchHeaders(value) : null
    return headers === null ? null : { value: headers, isLess: headers !== value }
  }
  if (typeof value === 'string') {
    const isName = namingKeys.has(key) && value.length <= nameLimit && !value.includes('\n')
    if (isName || value.length <= valueLimit) return { value, isLess: false }
    return { value: cutEnd(value, valueLimit), isLess: true }
  }
  if (Array.isArray(value)) return withinLimit(stripList(value))
  if (isJsonObject(value)) return withinLimit(stripFields(value))
  return { value, isLess: false }
}

function stripList(list: readonly unknown[]): Stripped<readonly unknown[]> | null {
  const entries = list.map((entry) => stripField('', entry))
  if (entries.some((entry) => entry === null)) return null
  return {
    value: entries.map((entry) => entry?.value),
    isLess: entries.some((entry) => entry?.isLess === true),
  }
}

function withinLimit(stripped: Stripped<unknown> | null): Stripped<unknown> | null {
  return stripped === null || JSON.stringify(stripped.value).length > listLimit ? null : stripped
}

/** The lines of a patch that name its files; null when the text is not a patch. */
function patchHeaders(text: string): string | null {
  const lines = text.split('\n')
  const sectioned = lines.filter((line) =>
    /^\*\*\* (?:Begin Patch|End Patch|(?:Add|Update|Delete) File: |Move to: )/.test(line),
  )
  if (sectioned.length > 0) return sectioned.join('\n')
  const unified = lines.filter((line, index) => isUnifiedHeader(lines, index, line))
  return unified.length > 0 ? unified.join('\n') : null
}

/** A removed line may look like a header, so the two header lines must follow each other. */
function isUnifiedHeader(lines: readonly string[], index: number, line: string): boolean {
  if (line.startsWith('diff --git ')) return true
  if (line.startsWith('--- ')) return lines[index + 1]?.startsWith('+++ ') === true
  return line.startsWith('+++ ') && lines[index - 1]?.startsWith('--- ') === true
}
