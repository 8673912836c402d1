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

/** Group and others. */
const others = 0o077

const reasons: Readonly<Record<string, readonly [code: StoreErrorCode, reason: string]>> = {
  EROFS: ['store-read-only', 'the file system is read-only'],
  EACCES: ['store-read-only', 'there is no permission to write there'],
  EPERM: ['store-read-only', 'there is no permission to write there'],
  ENOSPC: ['store-full', 'the disk is full'],
  EDQUOT: ['store-full', 'the disk quota is used up'],
  ENOENT: ['store-unreachable', 'its folder does not exist and cannot be created'],
  ENOTDIR: ['store-unreachable', 'a part of the path is a file, not a folder'],
  EISDIR: ['store-unreachable', 'it is a folder'],
}

/**
 * Creates a private file and its folders before SQLite opens it; SQLite gives its side files the same mode. Existing
 * files are not changed.
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

/** Node's `recursive` option hangs on file systems that answer ENOENT, such as /proc. */
export function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return
  const above = path.dirname(folder)
  if (above !== folder) makeFolder(above, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process was first, or it is a dangling link, which opening reports.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Throws as `makePrivateFile` would, without creating anything. */
export function refuseUncreatable(file: string): void {
  try {
    const link = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
    const target = link ? path.resolve(path.dirname(file), readlinkSync(file)) : file
    let folder = path.dirname(target)
    // Folders are created above a file, but not above a link's target.
    while (!link && !existsSync(folder) && path.dirname(folder) !== folder)
      folder = path.dirname(folder)
    rmdirSync(mkdtempSync(path.join(folder, '.palimpsest-')))
  } catch (cause) {
    throw unusable(file, cause)
  }
}

/** Removes the access of others to a file or folder that this user owns. */
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
