// `npm run bench:gateway [-- --quick] [--minutes=10] [--sessions=200] [--only=added|turns|heap|load|team]`: the time the
// gateway adds to a request, compared with a plain proxy in the same run. Fails only when the work per turn or the live heap
// grows, or a request fails.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { added } from './gateway/added.ts'
import { liveHeap } from './gateway/live-heap.ts'
import { startProcess } from './gateway/processes.ts'
import type { Row, Stage } from './gateway/stage.ts'
import { team } from './gateway/team.ts'
import { underLoad } from './gateway/under-load.ts'
import { workPerTurn } from './gateway/work-per-turn.ts'

const [upstreamFile = '', proxyFile = '', command = '', heapProbe = ''] = process.argv.slice(2)
const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-bench-'))
const environment = { ...process.env, PALIMPSEST_HOME: folder }
const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)

const probed = ['--expose-gc', '--import', heapProbe]
const isQuick = process.argv.includes('--quick')
const upstream = await startProcess([upstreamFile])
let stores = 0
const stage: Stage = {
  isQuick,
  minutes: Number(option('minutes') ?? (isQuick ? 1 : 10)),
  sessions: Number(option('sessions') ?? (isQuick ? 50 : 200)),
  upstream,
  startGateway(store = path.join(folder, `${stores++}.db`)) {
    const anthropic = `anthropic=${upstream.url}`
    const serve = ['serve', '--port', '0', '--store', store, '--upstream', anthropic]
    return startProcess([...probed, command, ...serve], environment)
  },
  startProxy: () => startProcess([...probed, proxyFile, upstream.url]),
}

try {
  const only = option('only')
  // Sizing starts PostgreSQL, and runs only when it is named.
  const sizing = only === 'team' ? { team } : {}
  const parts = { added, turns: workPerTurn, heap: liveHeap, load: underLoad, ...sizing }
  const rows: Row[] = []
  for (const [name, part] of Object.entries(parts)) {
    if (only === undefined || only === name) rows.push(...(await part(stage)))
  }
  for (const { what, value, limit = '', isMissed = false } of rows)
    console.log(
      `${isMissed ? 'MISSED ' : 'ok     '} ${what.padEnd(52)} ${value.padEnd(42)} ${limit}`.trimEnd(),
    )
  if (rows.some(({ isMissed }) => isMissed === true)) process.exitCode = 1
} finally {
  await upstream.stop()
  rmSync(folder, { recursive: true, force: true })
}
