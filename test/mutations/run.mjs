// `npm run test:mutations [-- name]`: breaks the engine in one line at a time, in a copy of the tree, and demands that
// the tests notice. A mutation that they let pass, or whose line is no longer there, is a failure. One that names a client
// has to be noticed by that client's sessions in test/e2e/differential.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const wanted = process.argv[2] ?? ''
const mutations = JSON.parse(readFileSync(path.join(root, 'test/mutations/mutations.json'), 'utf8'))
const differential = 'test/e2e/differential/differential.test.ts'
const suites = ['src/core', 'test/property/cleared.test.ts', 'test/property/promises.test.ts']

function copyTree() {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-mutation-'))
  const parts = [
    'src',
    'test',
    'scripts',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vitest.config.ts',
  ]
  for (const part of parts) {
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true })
  }
  mkdirSync(path.join(folder, '.cache'))
  for (const part of ['node_modules', '.cache/agents']) {
    symlinkSync(path.join(root, part), path.join(folder, part))
  }
  return folder
}

function suitePasses(folder, client) {
  const vitest = path.join(folder, 'node_modules/vitest/vitest.mjs')
  const chosen = client === undefined ? suites : [differential, '-t', `^${client}, live`]
  const run = spawnSync(process.execPath, [vitest, 'run', '--bail=1', ...chosen], {
    cwd: folder,
    encoding: 'utf8',
  })
  const output = `${run.stdout}${run.stderr}`
  // A client that is not installed, or a session that breaks off, notices nothing.
  const hasRun = client === undefined || /^ *Tests .*\d+ (?:passed|failed)/m.test(plain(output))
  return { passes: run.status === 0 || !hasRun, output }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal
const plain = (output) => output.replaceAll(/\u001b\[[0-9;]*m/g, '')

/** Tells which test noticed, so that a suite that fails for a reason of its own is seen. */
function noticedBy(output) {
  return /FAIL {2}([^\n]*)/.exec(plain(output))?.[1] ?? 'a suite that did not run'
}

/** True when no test failed but by its time: a machine that is too busy notices everything. */
function isTooSlow(output) {
  const text = plain(output)
  return /Test timed out in/.test(text) && !/AssertionError|Property failed/.test(text)
}

const folder = copyTree()
let survivors = 0
try {
  if (wanted === '') {
    for (const client of new Set(mutations.map((mutation) => mutation.client))) {
      const { passes, output } = suitePasses(folder, client)
      if (!passes) throw new Error(`the suite fails without any mutation: ${noticedBy(output)}`)
    }
  }
  for (const { name, file, line, becomes, client } of mutations) {
    if (!name.includes(wanted)) continue
    const target = path.join(folder, file)
    const source = readFileSync(target, 'utf8')
    const found = source.split('\n').filter((each) => each === line).length
    if (found !== 1) {
      survivors++
      console.log(`STALE     ${name}: the line stands ${found} times in ${file}`)
      continue
    }
    writeFileSync(
      target,
      source.replace(`${line}\n`, () => `${becomes}\n`),
    )
    const { passes, output } = suitePasses(folder, client)
    writeFileSync(target, source)
    const isUnclear = !passes && isTooSlow(output)
    if (passes || isUnclear) survivors++
    const outcome = passes ? 'SURVIVED ' : isUnclear ? 'TOO SLOW ' : 'noticed  '
    console.log(`${outcome} ${name}${passes ? '' : `: ${noticedBy(output)}`}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = survivors === 0 ? 0 : 1
