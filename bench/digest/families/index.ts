import type { Program } from '../sheet.ts'
import { clouds } from './clouds.ts'
import { compilers } from './compilers.ts'
import { containers } from './containers.ts'
import { databases } from './databases.ts'
import { diffs } from './diffs.ts'
import { infrastructure } from './infrastructure.ts'
import { json } from './json.ts'
import { listings } from './listings.ts'
import { logs } from './logs.ts'
import { metrics } from './metrics.ts'
import { packages } from './packages.ts'
import { searches } from './searches.ts'
import { tables } from './tables.ts'
import { tests } from './tests.ts'

/** The programs whose output is generated. */
export const families: Readonly<Record<string, readonly Program[]>> = {
  containers,
  clouds,
  databases,
  infrastructure,
  searches,
  metrics,
  tables,
  listings,
  json,
  diffs,
  tests,
  compilers,
  packages,
  logs,
}
