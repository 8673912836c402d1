import { createRequire } from 'node:module'
import { PalimpsestError } from '../../core/words/errors.ts'

export type SqliteValue = string | number | null | Uint8Array

/** The part of SQLite's bindings that all runtimes share. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement
  exec(sql: string): void
  close(): void
}

export interface SqliteStatement {
  /** Runs the statement and returns its rows. */
  all(...parameters: readonly SqliteValue[]): readonly unknown[]
}

interface OpenFileOptions {
  readonly readOnly?: boolean
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options?: OpenFileOptions) => SqliteDatabase
}

interface BunSqlite {
  readonly Database: new (path: string, options?: { readonly readonly: true }) => SqliteDatabase
}

/** A package with the interface of `node:sqlite`, for Node 20. */
const packageName = '@photostructure/sqlite'

/** The runtime's SQLite: Bun's, Node's, or the package's. */
export function loadSqlite(): (path: string, options?: OpenFileOptions) => SqliteDatabase {
  if ('Bun' in globalThis) {
    const { Database } = load<BunSqlite>('bun:sqlite')
    return (path, { readOnly } = {}) =>
      readOnly ? new Database(path, { readonly: true }) : new Database(path)
  }
  const { DatabaseSync } = builtin() ?? load<NodeSqlite>(packageName)
  return (path, options = {}) => new DatabaseSync(path, options)
}

function builtin(): NodeSqlite | undefined {
  const { emitWarning } = process
  // Node 22 warns that its SQLite is experimental, which users cannot act on.
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}

/** The name is a variable, so that bundlers do not resolve it. */
function load<Module>(name: string): Module {
  try {
    return createRequire(import.meta.url)(name) as Module
  } catch (cause) {
    throw new PalimpsestError(
      'store-driver',
      `this runtime has no SQLite and ${name} is not installed: \`npm install ${name}\`, or use Node 22.13 or newer`,
      { cause },
    )
  }
}
