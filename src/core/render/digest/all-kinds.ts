import { diagnostics } from './diagnostics.ts'
import { diff } from './diff.ts'
import { echo } from './echo.ts'
import { file } from './file.ts'
import { history } from './history.ts'
import { html } from './html.ts'
import { json } from './json.ts'
import { listing } from './listing.ts'
import { log } from './log.ts'
import type { OutputKind } from './output.ts'
import { packages } from './packages.ts'
import { poll } from './poll.ts'
import { report } from './report.ts'
import { search } from './search.ts'
import { table } from './table.ts'
import { tests } from './tests.ts'
import { trace } from './trace.ts'

/** All kinds except the plain one. Of two that fit equally well, the first wins. */
export const outputKinds: readonly OutputKind[] = [
  poll,
  echo,
  file,
  search,
  listing,
  report,
  html,
  json,
  diff,
  tests,
  diagnostics,
  packages,
  history,
  log,
  trace,
  table,
]
