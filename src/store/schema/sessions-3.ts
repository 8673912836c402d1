import { rowsOf } from '../sql/steps.ts'
import type { Migration } from './migration.ts'

/** The folder of a session's agent, which limits who may read it. */
export const sessions3: Migration = {
  part: 'sessions',
  version: 3,
  *up(db) {
    yield* rowsOf(db.schema.alterTable('sessions').addColumn('folder', 'text'))
  },
}
