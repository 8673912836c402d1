// `npm run bench:gateway [-- --quick]`: what the gateway adds, beside decoding and parsing the same body, and beside a proxy
// of the same framework that only parses and forwards. All processes of their own; all ratios from one run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { added } from './gateway/added.ts'
import { crowd } from './gateway/crowd.ts'
import { oneThread, startProcess } from './gateway/processes.ts'
import type { Row, Stage } from './gateway/row.ts'
import { throughput } from './gateway/throughput.ts'

const [upstreamFile = '', proxyFile = '', command = ''] = process.argv.slice(2)
const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-bench-'))
const environment = { ...process.env, PALIMPSEST_HOME: folder }

const upstream = await startProcess(upstreamFile, [], process.env, [oneThread])
let stores = 0
const stage: Stage = {
  isQuick: process.argv.includes('--quick'),
  upstream,
  startGateway() {
    const store = path.join(folder, `${stores++}.db`)
    const anthropic = `anthropic=${upstream.url}`
    const args = ['serve', '--port', '0', '--store', store, '--upstream', anthropic]
    return startProcess(command, args, environment)
  },
  startProxy: () => startProcess(proxyFile, [upstream.url]),
}

try {
  const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7)
  const parts = { added, throughput, crowd }
  const rows: Row[] = []
  for (const [name, part] of Object.entries(parts)) {
    if (only === undefined || only === name) rows.push(...(await part(stage)))
  }
  for (const { what, value, limit, holds } of rows)
    console.log(
      `${holds ? 'ok     ' : 'MISSED '} ${what.padEnd(46)} ${value.padEnd(32)} ${limit}`.trimEnd(),
    )
  if (rows.some(({ holds }) => !holds)) process.exitCode = 1
} finally {
  await upstream.stop()
  rmSync(folder, { recursive: true, force: true })
}
