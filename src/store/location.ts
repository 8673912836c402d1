import type { KeyObject } from 'node:crypto'
import { statSync } from 'node:fs'
import path from 'node:path'
import { PalimpsestError } from '../core/words/errors.ts'

export type StoreLocation =
  | { readonly kind: 'memory' }
  | {
      readonly kind: 'sqlite'
      readonly path: string
      /** Encrypts everything that is written; see `encryptionKey`. */
      readonly key?: KeyObject
      /** The user's own folder, when the store is in it; others get no access. */
      readonly home?: string
    }
  | { readonly kind: 'postgres'; readonly url: string; readonly key?: KeyObject }

const fileName = 'palimpsest.db'

export interface LocationOptions {
  /** A file, a folder, a `postgres://` URL or `memory:`. Default: the file in the user's own folder. */
  readonly chosen?: string | undefined
  /** The user's own folder; see `userConfigFolder`. */
  readonly home: string | undefined
  readonly cwd: string
}

/** The location of the store. Throws with `usage` when the text is not a location. */
export function storeLocation({ chosen, home, cwd }: LocationOptions): StoreLocation {
  if (chosen === '')
    throw new PalimpsestError(
      'usage',
      'the name of the store is empty: give a file, a folder, or a postgres:// URL',
    )
  if (chosen === undefined) {
    if (home === undefined || home === '')
      throw new PalimpsestError('usage', 'no folder for the store is known: give --store')
    const folder = path.resolve(cwd, home)
    return { kind: 'sqlite', path: path.join(folder, fileName), home: folder }
  }
  if (/^postgres(ql)?:/i.test(chosen)) return { kind: 'postgres', url: chosen }
  if (chosen === 'memory:' || chosen === ':memory:') return { kind: 'memory' }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(chosen)) {
    const scheme = chosen.slice(0, chosen.indexOf(':'))
    throw new PalimpsestError(
      'usage',
      `${scheme}:// is not a store: give a file, a folder, or a postgres:// URL`,
    )
  }
  const file = path.resolve(cwd, chosen)
  const isFolder = /[/\\]$/.test(chosen) || isDirectory(file)
  return { kind: 'sqlite', path: isFolder ? path.join(file, fileName) : file }
}

function isDirectory(file: string): boolean {
  try {
    return statSync(file).isDirectory()
  } catch {
    // Opening it reports the reason.
    return false
  }
}
