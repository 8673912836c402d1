import { PalimpsestError } from '../../core/words/errors.ts'
import type { SqliteDatabase } from './driver.ts'

/**
 * Refuses a database of another program, which has tables but none of ours, before anything is written to it.
 *
 * @throws PalimpsestError with code `store-foreign`.
 */
export function refuseForeign(database: SqliteDatabase, path: string): void {
  database.exec('pragma busy_timeout = 5000')
  const rows = database.prepare("select name from sqlite_master where type = 'table'").all()
  const names = rows.map((row) => (row as { readonly name: unknown }).name)
  if (names.length === 0 || names.includes('palimpsest_schema')) return
  throw new PalimpsestError(
    'store-foreign',
    `${path} is a database of another program and was not changed: name another file for the store`,
  )
}
