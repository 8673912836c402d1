import { PalimpsestError } from '../../core/words/errors.ts'

export type SqliteValue = string | number | null | Uint8Array

/** The part of SQLite's bindings that all runtimes share. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement
  exec(sql: string): void
  close(): void
}

export interface SqliteStatement {
  /** Runs it, and gives its rows: none for a statement that returns nothing. */
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

/** The package with the interface of Node's own, where Node has none. */
const packageName = '@photostructure/sqlite'

/** SQLite as this runtime has it: Bun's, Node's own, or a package's. */
export async function loadSqlite(): Promise<
  (path: string, options?: OpenFileOptions) => SqliteDatabase
> {
  if ('Bun' in globalThis) {
    const { Database } = await driver<BunSqlite>('bun:sqlite')
    return (path, { readOnly } = {}) =>
      readOnly ? new Database(path, { readonly: true }) : new Database(path)
  }
  const { DatabaseSync } = builtin() ?? (await driver<NodeSqlite>(packageName))
  return (path, options = {}) => new DatabaseSync(path, options)
}

function builtin(): NodeSqlite | undefined {
  const { emitWarning } = process
  // Node 22 warns that its SQLite is experimental: nothing that the user of a command can act on.
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}

/** The name is a variable, so that bundlers leave it to the runtime that has it. */
async function driver<Module>(name: string): Promise<Module> {
  try {
    return (await import(/* @vite-ignore */ name)) as Module
  } catch (cause) {
    throw new PalimpsestError(
      'store-driver',
      `this runtime has no SQLite and ${name} is not installed: \`npm install ${name}\`, or use Node 22.13 or newer`,
      { cause },
    )
  }
}
