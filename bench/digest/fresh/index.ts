import type { Program } from '../sheet.ts'
import { builds } from './builds.ts'
import { clusters } from './clusters.ts'
import { data } from './data.ts'
import { documents } from './documents.ts'
import { linters } from './linters.ts'
import { runs } from './runs.ts'
import { systems } from './systems.ts'

/** Programs of no family, for outputs on which the digest was never tried while its rules were written. */
export const freshPrograms: Readonly<Record<string, readonly Program[]>> = {
  clusters,
  data,
  linters,
  builds,
  runs,
  systems,
  documents,
}
