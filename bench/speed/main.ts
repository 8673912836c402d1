import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { BenchRow } from '../bench-row.ts'
import { markdownTable } from '../score/tables.ts'
import { dcp } from './dcp.ts'
import { dcpVersion, type InstalledDcp, installDcp } from './install-dcp.ts'
import { measure } from './measure.ts'
import { measurePeer } from './measure-peer.ts'
import { palimpsest } from './palimpsest.ts'
import { partRows, rowsOfPart } from './parts.ts'
import { measureInProcess } from './peer-process.ts'
import { type SizeTimings, speedRows, speedTable } from './report.ts'
import { keepsLimit, rowLine } from './row-line.ts'
import { createGrowingSession } from './session.ts'

const usage = `Measures how fast requests are prepared, in processor time, as ratios from one run.

  npm run bench:speed                              all of it
  npm run bench:speed -- --quick                   fewer and smaller sizes
  npm run bench:speed -- --without-dcp             nothing is installed from the registry
  npm run bench:speed -- --without-parts           only whole requests, not the parts of the engine
  npm run bench:speed -- --part times              one part of the engine, as JSON
  npm run bench:speed -- --dcp-version 3.1.14      another version of @tarquinen/opencode-dcp
  npm run bench:speed -- --json
`

const script = fileURLToPath(import.meta.url)
const note = (line: string): boolean => process.stderr.write(`${line}\n`)

/** Sizes in tool calls, and the time limit of DCP at each; 0 skips it. */
const allSizes = [
  { calls: 20, passes: 60, peerMs: 60_000 },
  { calls: 100, passes: 40, peerMs: 120_000 },
  { calls: 500, passes: 20, peerMs: 300_000 },
  { calls: 2_000, passes: 9, peerMs: 900_000 },
  { calls: 10_000, passes: 3, peerMs: 0 },
] as const

async function main(args: readonly string[]): Promise<number> {
  const [flag, entry, calls] = args
  if (flag === '--peer' && entry !== undefined) {
    const tell = (report: object): void => console.log(JSON.stringify(report))
    await measurePeer(await dcp(entry), Number(calls), tell)
    return 0
  }
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      part: { type: 'string' },
      'without-dcp': { type: 'boolean', default: false },
      'without-parts': { type: 'boolean', default: false },
      'dcp-version': { type: 'string', default: dcpVersion },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  if (values.part !== undefined) {
    console.log(JSON.stringify(await rowsOfPart(values.part, values.quick)))
    return 0
  }
  const parts = values['without-parts'] ? [] : partRows(script, values.quick)
  const installed = values['without-dcp'] ? null : install(values['dcp-version'])
  const sizes: SizeTimings[] = []
  for (const size of allSizes.filter(({ calls: each }) => !values.quick || each <= 500))
    sizes.push(await timingsAt(size, installed))
  const rows = [...parts, ...speedRows(sizes)]
  if (values.json) console.log(JSON.stringify({ rows, sizes }))
  else print(rows, sizes, installed)
  return rows.every(keepsLimit) ? 0 : 1
}

/** Without a registry, everything else is still measured. */
function install(version: string): InstalledDcp | null {
  const folder = fileURLToPath(new URL(`./dcp-${version}`, import.meta.url))
  try {
    note(`@tarquinen/opencode-dcp ${version}, into ${folder}`)
    return installDcp(folder, version)
  } catch (cause) {
    note(`it could not be installed, and is left out: ${String(cause)}`)
    return null
  }
}

async function timingsAt(
  { calls, passes, peerMs }: (typeof allSizes)[number],
  installed: InstalledDcp | null,
): Promise<SizeTimings> {
  note(`${calls} tool calls …`)
  const session = createGrowingSession()
  session.grow(calls)
  const pruners = [palimpsest({ validates: false }), palimpsest({ validates: true })]
  const timings = await measure({ calls, passes, pruners })
  const isTried = installed !== null && peerMs > 0
  if (isTried) note(`${calls} tool calls through DCP, at most ${peerMs / 1000} s …`)
  const peer = isTried
    ? await measureInProcess({ script, installed, calls, deadlineMs: peerMs })
    : null
  return { calls, items: session.items, timings, peer }
}

function print(
  rows: readonly BenchRow[],
  sizes: readonly SizeTimings[],
  installed: InstalledDcp | null,
): void {
  for (const row of rows) console.log(rowLine(row))
  console.log('\nProcessor time to resume a session, the first request of a process:\n')
  console.log(markdownTable(speedTable(sizes, 'resumeMs')))
  console.log('\nProcessor time for one more turn:\n')
  console.log(markdownTable(speedTable(sizes, 'turnMs')))
  console.log(
    installed === null
      ? '\nDCP was not measured.'
      : `\nDCP is @tarquinen/opencode-dcp ${installed.version} from the registry, one run at each size.`,
  )
}

process.exitCode = await main(process.argv.slice(2))
