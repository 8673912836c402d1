import { randomUUID } from 'node:crypto'
import { lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { redactText } from '../memory/forget/redact-text.ts'
import type { Memory } from '../memory/memory.ts'
import type { Place } from '../memory/observe.ts'
import type { ExportFormat, ForgottenInExports, LeftFile } from '../memory/operations/operation.ts'
import { isExportedLine, renewedJsonLines } from '../memory/transfer/json-lines.ts'
import { exportMarkdown, markdownSection } from '../memory/transfer/markdown.ts'
import {
  isOwnFile,
  pathWithoutLinks,
  type RegisteredExport,
  registerExport,
  registeredExports,
} from './export-registry.ts'

export interface NewExport {
  readonly format: ExportFormat
  /** A file, or a folder for `adr`. */
  readonly target: string
  /** The names of the files in the folder. */
  readonly files?: readonly string[]
  readonly place: Place
  /** The user's own folder with the export registry. Without it `forget` cannot edit the export. */
  readonly home: string | undefined
}

/** Records an export in the store and in the user's registry, so that `forget` can edit it. */
export function noteExport(
  memory: Memory,
  { format, target, files = [], place: { project }, home }: NewExport,
): void {
  const file = pathWithoutLinks(target)
  const own = registeredExports(home)
  const known = [...memory.state.exports.values()].find(
    (event) =>
      event.path === file &&
      event.format === format &&
      event.project === project &&
      own.has(event.id ?? ''),
  )
  const registered = own.get(known?.id ?? '')
  const id = registered?.id ?? randomUUID()
  const kept = new Set([...(registered?.files ?? []), ...files])
  if (home !== undefined) {
    try {
      registerExport(home, { id, path: file, format, project, files: [...kept] })
    } catch {
      // The export is written; `forget` will list it as a file that it cannot edit.
    }
  }
  memory.write(({ at }) => {
    const event = { kind: 'exported', at, path: file, format, project, id } as const
    return { events: registered === undefined ? [event] : [], result: undefined }
  })
}

export interface ForgottenWords {
  readonly items: readonly string[]
  readonly words: readonly string[]
}

/**
 * Removes forgotten text from exported files. A store may name any file, so only files in the user's registry that
 * still look like the export are changed. All others are returned in `left`.
 */
export function forgetInExports(
  memory: Memory,
  home: string | undefined,
  forgotten: ForgottenWords,
): ForgottenInExports {
  const registered = registeredExports(home)
  const changed = new Set<string>()
  const left: LeftFile[] = []
  for (const { path: target, format, project, id = '' } of memory.state.exports.values()) {
    const own = registered.get(id)
    if (own?.path !== target || own.format !== format || own.project !== project)
      left.push({ path: target, reason: 'not known as an export of this user on this machine' })
    else if (lstatSync(target, { throwIfNoEntry: false }) !== undefined)
      forgetIn(memory, own, forgotten, { changed, left })
  }
  return { changed: [...changed], left }
}

interface Outcome {
  readonly changed: Set<string>
  readonly left: LeftFile[]
}

function forgetIn(
  memory: Memory,
  own: RegisteredExport,
  forgotten: ForgottenWords,
  { changed, left }: Outcome,
): void {
  const { path: target, format, files } = own
  const isFolder = format === 'adr'
  if (pathWithoutLinks(target) !== target || lstatSync(target).isSymbolicLink()) {
    left.push({ path: target, reason: 'it is behind a link now' })
    return
  }
  const gone: string[] = []
  const members = isFolder ? files.map((name) => path.join(target, path.basename(name))) : [target]
  const present = members.filter((file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined)
  for (const file of present) {
    if (!isOwnFile(file)) {
      left.push({ path: file, reason: 'it is no longer a regular file of this user' })
      continue
    }
    const before = readFileSync(file, 'utf8')
    const { text: after, left: reason } = textWithout(memory, before, own, forgotten)
    if (reason !== undefined) left.push({ path: file, reason })
    if (after === before) continue
    if (after === null) {
      rmSync(file)
      gone.push(path.basename(file))
    } else replaceFile(file, after)
    changed.add(file)
  }
  for (const file of gone.length === 0 ? [] : present)
    if (isOwnFile(file) && unlink(file, gone)) changed.add(file)
}

/** A link to a removed record contains its title. */
function unlink(file: string, gone: readonly string[]): boolean {
  const before = readFileSync(file, 'utf8')
  if (!recordId.test(before)) return false
  const after = before.replace(/\[[^\]\n]*\]\(([^)\n]+)\)/g, (link, to: string) =>
    gone.includes(path.basename(to)) ? 'a forgotten decision' : link,
  )
  if (after !== before) replaceFile(file, after)
  return after !== before
}

/** Atomic, and never through a link that appears meanwhile. */
function replaceFile(file: string, text: string): void {
  const written = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`)
  writeFileSync(written, text, { mode: statSync(file).mode & 0o777, flag: 'wx' })
  renameSync(written, file)
}

interface EditedText {
  /** null to delete the file. */
  readonly text: string | null
  /** Why something could not be removed. */
  readonly left?: string
}

const recordId = /<!-- id: \S+ -->/

/** Changes only what an export wrote; leaves a file that no longer looks like an export. */
function textWithout(
  memory: Memory,
  text: string,
  { format, project }: RegisteredExport,
  { items, words }: ForgottenWords,
): EditedText {
  const redacted = redactText(words)
  const isSaid = items.some((id) => text.includes(id)) || redacted(text) !== text
  if (!isSaid && format !== 'markdown') return { text }
  switch (format) {
    case 'jsonl': {
      if (!text.split('\n').every((line) => line.trim() === '' || isExportedLine(line)))
        return { text, left: 'it is no longer an export' }
      return {
        text: renewedJsonLines(memory, text)
          .map((line) => `${line}\n`)
          .join(''),
      }
    }
    case 'markdown': {
      const section = markdownSection(text)
      if (section === null)
        return isSaid ? { text, left: 'it no longer has an exported section' } : { text }
      const [before, after] = [text.slice(0, section.start), text.slice(section.end)]
      const next = redacted(exportMarkdown(memory, { project, session: '' }))
      const isElsewhere = redacted(before) !== before || redacted(after) !== after
      return {
        text: `${before}${next}${after}`,
        ...(isElsewhere ? { left: 'text outside the exported section contains it too' } : {}),
      }
    }
    case 'adr':
      if (!recordId.test(text)) return { text, left: 'it is no longer a decision record' }
      if (items.some((id) => text.includes(`<!-- id: ${id} -->`))) return { text: null }
      return { text: redacted(text) }
  }
}
