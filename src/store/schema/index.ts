import type { Migration } from '../migrate.ts'
import { version1 } from './version-1.ts'
import { version2 } from './version-2.ts'
import { version3 } from './version-3.ts'

/** The name of the store's own tables among the parts that share a database. */
export const sessionsPart = 'sessions'

/** Every schema that a store may have, the oldest first. */
export const storeSchema: readonly Migration[] = [version1, version2, version3]
