import { memory1 } from './memory-1.ts'
import type { Migration } from './migration.ts'
import { ownMemory1 } from './own-memory-1.ts'
import { sessions1 } from './sessions-1.ts'
import { sessions2 } from './sessions-2.ts'
import { sessions3 } from './sessions-3.ts'
import { team1 } from './team-1.ts'

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = [
  sessions1,
  memory1,
  sessions2,
  sessions3,
  team1,
  ownMemory1,
]
