import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { PalimpsestError } from '../core/words/errors.ts'
import { type FileChange, textOf } from './agent.ts'
import { holdsJson } from './json-edit.ts'
import { undoneText } from './merge-undo.ts'
import type { ChangedFile } from './setup-record.ts'
import { applyChange, revertChange, type TextChange } from './text-change.ts'
import { withTomlValue } from './toml-edit.ts'
import { withYamlValue } from './yaml-edit.ts'

/** A file with the text that it is to get. */
export interface PlannedFile extends ChangedFile {
  /** Its text now. */
  readonly current: string
}

/**
 * The files that changes lead to. Changes of a file that was changed before are added to it: the record keeps the text
 * from before all of them.
 *
 * @throws PalimpsestError with code `configuration` for a file that cannot be changed.
 */
export function planFiles(
  of: string,
  changes: readonly FileChange[],
  recorded: readonly ChangedFile[],
): readonly PlannedFile[] {
  const files = [...new Set(changes.map(({ file }) => file))]
  return files.map((file) => {
    const before = recorded.find((each) => each.file === file)
    const current = textOf(file)
    refuseOtherEncoding(file, current)
    const existed = before?.existed ?? isFile(file)
    const original = before === undefined ? current : (undone(before, current) ?? '')
    const all = [
      ...(before?.changes ?? []),
      ...changes.filter((each) => each.file === file).map(({ change }) => change),
    ]
    const written = all.reduce((text, change) => applyChange(text, change, file), original)
    return { of: before?.of ?? of, file, existed, original, written, changes: all, current }
  })
}

/** Bytes that are no UTF-8 would not come back as they were. */
function refuseOtherEncoding(file: string, text: string): void {
  if (!isFile(file) || Buffer.from(text).equals(readFileSync(file))) return
  throw new PalimpsestError(
    'configuration',
    `${file}: this is not UTF-8 text, so it cannot be changed without damage. Save it as UTF-8, and try again.`,
  )
}

/** The text without our changes; null when nothing of the file is left. */
export function undone(
  { original, written, changes, existed }: ChangedFile,
  current: string,
): string | null {
  const merged = undoneText(original, written, current)
  if (merged !== null) return merged === '' && !existed ? null : merged
  const reverted = changes.reduceRight<string | null>(
    (text, change) => (text === null ? null : revertChange(text, change, original)),
    current,
  )
  const isEmpty = reverted === null || /^[\s{}]*$/.test(reverted)
  return !existed && isEmpty ? null : reverted
}

/** Whether all of our changes still stand in a file. */
export function isApplied({ file, changes }: Pick<ChangedFile, 'file' | 'changes'>): boolean {
  const text = textOf(file)
  return changes.every((change) => stands(text, change))
}

function stands(text: string, change: TextChange): boolean {
  switch (change.kind) {
    case 'block': {
      const lines = text.split(/\r?\n/)
      return change.lines.every((line) => lines.includes(line))
    }
    case 'json':
      return change.values.every((value) => holdsJson(text, value))
    case 'toml':
      return withTomlValue(text, { ...change, was: change.value }) !== null
    case 'yaml':
      return withYamlValue(text, { ...change, was: change.value }) !== null
    case 'whole':
      return text === change.text
  }
}

/** Writes all files or none. */
export function writeFiles(files: readonly Pick<PlannedFile, 'file' | 'written'>[]): void {
  const done: { readonly file: string; readonly before: string | null }[] = []
  try {
    for (const { file, written } of files) {
      const before = isFile(file) ? readFileSync(file, 'utf8') : null
      writeText(file, written)
      done.push({ file, before })
    }
  } catch (cause) {
    for (const { file, before } of done) {
      if (before === null) rmSync(file, { force: true })
      else writeText(file, before)
    }
    throw unwritable(
      cause,
      'so nothing was changed. Make it writable, or change it by hand as --dry-run shows.',
    )
  }
}

/**
 * Writes a text, or removes the file and the folders that it leaves empty below `keep`.
 *
 * @throws PalimpsestError with code `configuration` for a file that cannot be written.
 */
export function restoreFile(file: string, text: string | null, keep: string): void {
  try {
    if (text !== null) {
      writeText(file, text)
      return
    }
    rmSync(file, { force: true })
    let folder = path.dirname(file)
    while (folder.startsWith(`${keep}${path.sep}`)) {
      rmdirSync(folder)
      folder = path.dirname(folder)
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT')
      throw unwritable(
        cause,
        'so our change is still in it. Make it writable, and run the same command again.',
      )
  }
}

/** A file that is a link stays one, with the mode that it has. A read-only file is left alone, though it could be replaced. */
function writeText(file: string, text: string): void {
  const real = isFile(file) ? realpathSync(file) : file
  const mode = isFile(file) ? statSync(real).mode & 0o777 : 0o600
  if ((mode & 0o222) === 0) throw Object.assign(new Error('it is read-only'), { path: real })
  mkdirSync(path.dirname(real), { recursive: true })
  const temporary = `${real}.palimpsest-${process.pid}`
  try {
    writeFileSync(temporary, text, { mode })
    chmodSync(temporary, mode)
    renameSync(temporary, real)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function unwritable(cause: unknown, end: string): PalimpsestError {
  const { message, path: file } = cause as NodeJS.ErrnoException
  const place = (file ?? '').replace(/\.palimpsest-\d+$/, '')
  return new PalimpsestError(
    'configuration',
    `${place}: cannot be written (${message.split(',', 1)[0]}), ${end}`,
    { cause },
  )
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true
}
