import type { Migration } from '../migrate.ts'
import { rowsOf } from '../sql/steps.ts'

/** The folder that a session's agent works in: who asks from another folder does not reach it. */
export const version3: Migration = {
  version: 3,
  *up(db) {
    yield* rowsOf(db.schema.alterTable('sessions').addColumn('folder', 'text'))
  },
}
