import type { KeyObject } from 'node:crypto'
import {
  memoryPart,
  migrateSteps,
  newestVersion,
  refuseNewer,
  schemaSteps,
} from '../../store/migrate.ts'
import type { SchemaPart } from '../../store/schema/migration.ts'
import { sealingOf, startSealing } from '../../store/seal-row.ts'
import { Sealing } from '../../store/sealing.ts'
import type { Steps } from '../../store/sql/steps.ts'
import { openSqliteNow, type SqliteEngineNow } from '../../store/sqlite/open-now.ts'
import type { MemoryTables } from '../../store/tables.ts'
import { eventRows } from './event-rows.ts'
import type { LogOptions, LogPosition, LogRead, MemoryLog } from './memory-log.ts'

const beginning: LogPosition = { sequence: 0, generation: -1 }

/** Opens the log in a SQLite file, which may also hold sessions. Creates what is missing. */
export function openSqliteLog(path: string, { owner = null, key }: LogOptions = {}): MemoryLog {
  const engine = openSqliteNow<MemoryTables>(path)
  let sealing: Sealing
  try {
    migrateNow(engine, memoryPart(owner))
    sealing = sealingNow(engine, key)
  } catch (error) {
    engine.close()
    throw error
  }
  const rows = eventRows(engine.db, owner, sealing)

  function* readFrom(known: LogPosition): Steps<LogRead> {
    const generation = yield* rows.generation()
    const after = generation === known.generation ? known.sequence : 0
    const events = yield* rows.after(after)
    return { generation, sequence: events.at(-1)?.sequence ?? after, events }
  }

  return {
    read: (known) => engine.read(() => readFrom(known)),
    append: (known, decide) =>
      engine.write(function* () {
        const news = yield* readFrom(known)
        const events = decide(news)
        yield* rows.insert(events)
        return events.length === 0 ? news : yield* readFrom(known)
      }),
    rewrite(edit, append) {
      const { sequence, generation } = engine.write(function* () {
        yield* rows.rewrite(edit)
        yield* rows.insert(append)
        return yield* readFrom(beginning)
      })
      engine.reclaim()
      return { sequence, generation }
    },
    withoutWaiting: engine.withoutWaiting,
    close: () => engine.close(),
  }
}

function sealingNow(engine: SqliteEngineNow<MemoryTables>, key: KeyObject | undefined): Sealing {
  const sealing = engine.read(() => sealingOf(engine, key))
  if (sealing !== null || key === undefined) return sealing ?? new Sealing()
  return engine.write(() => startSealing(engine, key))
}

/** A memory of the newest schema is opened without a lock. */
function migrateNow(engine: SqliteEngineNow<MemoryTables>, part: SchemaPart): void {
  const newest = newestVersion(part)
  const stored = engine.read(() => schemaSteps(engine, part))
  refuseNewer(stored, newest)
  if (stored.version < newest) engine.write(() => migrateSteps(engine, part))
}
