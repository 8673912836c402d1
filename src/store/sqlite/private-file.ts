import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  rmdirSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { PalimpsestError, type StoreErrorCode } from '../../core/words/errors.ts'

/** Group and everybody else. */
const others = 0o077

const reasons: Readonly<Record<string, readonly [code: StoreErrorCode, reason: string]>> = {
  EROFS: ['store-read-only', 'the file system is read-only'],
  EACCES: ['store-read-only', 'there is no permission to write there'],
  EPERM: ['store-read-only', 'there is no permission to write there'],
  ENOSPC: ['store-full', 'no room is left on the disk'],
  EDQUOT: ['store-full', 'no room is left on the disk'],
  ENOENT: ['store-unreachable', 'its folder does not exist and cannot be made'],
  ENOTDIR: ['store-unreachable', 'a part of the path is a file, not a folder'],
  EISDIR: ['store-unreachable', 'it is a folder'],
}

/**
 * Makes a file and the folders above it for this user alone, before anything is in it; SQLite gives its side files the
 * same mode. What was there before is left as it is.
 */
export function makePrivateFile(file: string): void {
  try {
    makeFolder(path.dirname(file), 0o700)
    closeSync(openSync(file, 'a', 0o600))
    if (statSync(file).size === 0) closeToOthers(file)
  } catch (cause) {
    throw unusable(file, cause)
  }
}

/** Node's own `recursive` never returns where a file system makes no folders and says ENOENT, as /proc does. */
export function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return
  const above = path.dirname(folder)
  if (above !== folder) makeFolder(above, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process was first; or it is a link to nowhere, which whoever uses it is told.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Throws as `makePrivateFile` would for a file that is not there, and leaves nothing behind. */
export function refuseUnmakeable(file: string): void {
  try {
    const link = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
    const target = link ? path.resolve(path.dirname(file), readlinkSync(file)) : file
    let folder = path.dirname(target)
    // Folders are made above a file, and not where a link leads.
    while (!link && !existsSync(folder) && path.dirname(folder) !== folder)
      folder = path.dirname(folder)
    rmdirSync(mkdtempSync(path.join(folder, '.palimpsest-')))
  } catch (cause) {
    throw unusable(file, cause)
  }
}

/** Closes a file or folder of ours to everybody else; does nothing where it belongs to another user. */
export function closeToOthers(file: string): void {
  const { mode, uid } = statSync(file)
  const isOurs = process.getuid === undefined || process.getuid() === uid
  if (isOurs && (mode & others) !== 0) chmodSync(file, mode & ~others & 0o7777)
}

export function unusable(file: string, cause: unknown): PalimpsestError {
  const { code: errno = '', message } = cause as NodeJS.ErrnoException
  const [code, reason] = reasons[errno] ?? ['store-unreachable', message]
  return new PalimpsestError(
    code,
    `cannot open the store ${file}: ${reason}; choose another place with --store, \`store\` in the configuration, or PALIMPSEST_HOME`,
    { cause },
  )
}
