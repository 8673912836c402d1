import { rowsOf } from '../sql/steps.ts'
import type { Migration } from './migration.ts'

/** The folder that a session's agent works in: who asks from another folder does not reach it. */
export const sessions3: Migration = {
  part: 'sessions',
  version: 3,
  *up(db) {
    yield* rowsOf(db.schema.alterTable('sessions').addColumn('folder', 'text'))
  },
}
