import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs'
import path from 'node:path'
import { PalimpsestError, type StoreErrorCode } from '../../core/errors.ts'

/** Group and everybody else. */
const others = 0o077

const codes: Readonly<Record<string, StoreErrorCode>> = {
  EROFS: 'store-read-only',
  EACCES: 'store-read-only',
  EPERM: 'store-read-only',
  ENOSPC: 'store-full',
  EDQUOT: 'store-full',
}

/**
 * Makes a file and the folders above it for this user alone, before anything is in it; SQLite gives its side files the
 * same mode. What was there before is left as it is.
 */
export function makePrivateFile(file: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'a', 0o600))
    if (statSync(file).size === 0) closeToOthers(file)
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
  const errno = whyNotWritable(path.dirname(file)) ?? (cause as NodeJS.ErrnoException).code ?? ''
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new PalimpsestError(
    codes[errno] ?? 'store-unreachable',
    `the store ${file} cannot be used: ${reason}`,
    { cause },
  )
}

/** Making folders in one that takes no writes fails with ENOENT in Node; the folder itself says why. */
function whyNotWritable(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const above = path.dirname(folder)
    return code === 'ENOENT' && above !== folder ? whyNotWritable(above) : code
  }
}
