// `npm test [-- --all] [vitest arguments]`: installs, builds, runs every suite, and prints which were skipped and how to
// run them. Installs PostgreSQL and PgBouncer when this user has permission. With CI=true or --all, also installs the other
// runtimes and the real agents: every tested version with --all, only the newest of each with CI=true. With CI=true a skip
// is a failure, except for suites over ../shared/corpus when that folder is absent.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from './build.mjs'
import { cache, inRoot } from './install.mjs'
import { installPostgres } from './postgres.mjs'

const inCi = process.env.CI === 'true' || process.env.CI === '1'
const args = process.argv.slice(2)
const allVersions = args.includes('--all')
const all = inCi || allVersions
const results = `${cache}/test-results.json`
const corpusNeed = '[needs ../shared/corpus]'

mkdirSync(cache, { recursive: true })
rmSync(results, { force: true })
await build()
if (all) {
  const { installRuntimes } = await import('./runtimes.mjs')
  installRuntimes()
  const { agents, installAgents } = await import('./agents.mjs')
  const wanted = agents.filter(({ newest }) => newest || allVersions)
  await installAgents({ only: wanted.map(({ name }) => name) })
  const { hasProgram, installPackage } = await import('./system-package.mjs')
  for (const name of ['tmux', 'zsh', 'fish']) if (!hasProgram(name)) installPackage(name)
  if (!hasProgram('promtool')) installPackage('prometheus')
  if (!hasProgram('systemd-analyze')) installPackage('systemd')
  const { installChromium } = await import('./chromium.mjs')
  installChromium()
  const { installNginx } = await import('./nginx.mjs')
  installNginx()
}
installPostgres()

// The short run of CI: no suites for older clients, fewer repetitions, no comparisons with other programs. What it leaves out does
// not count as skipped. `--all` runs everything.
const testedClients = inCi && !allVersions ? { PALIMPSEST_TEST_CLIENTS: 'newest' } : {}

const vitest = spawnSync(
  process.execPath,
  [
    inRoot('node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
    ...args.filter((argument) => argument !== '--all'),
  ],
  { cwd: inRoot(), stdio: 'inherit', env: { ...process.env, ...testedClients } },
)
if (!existsSync(results)) {
  console.error('vitest wrote no results')
  process.exit(1)
}

const report = JSON.parse(readFileSync(results, 'utf8'))
const tests = report.testResults.flatMap((file) => file.assertionResults)
const skipped = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed')
const corpusAbsent = !existsSync(inRoot('../shared/corpus'))
const excused = skipped.filter((test) => corpusAbsent && test.fullName.includes(corpusNeed))
const unexcused = inCi ? skipped.length - excused.length : 0
const brokenFiles = report.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
).length
const summary = {
  passed: report.numPassedTests,
  failed: report.numFailedTests + brokenFiles + unexcused,
  skipped: skipped.length - unexcused,
}

if (skipped.length > 0) {
  const suites = new Set(skipped.map((test) => test.ancestorTitles[0] ?? test.title))
  console.log(`\nskipped ${skipped.length} tests, of:`)
  for (const suite of suites) console.log(`  - ${suite}`)
  console.log(
    '`npm test -- --all` installs the real agents, the other runtimes, tmux, zsh, fish, Chromium and nginx; PostgreSQL and PgBouncer where it runs as root.',
  )
  if (unexcused > 0) console.log(`${unexcused} of them count as failures, because CI=true.`)
}
writeFileSync(`${cache}/test-summary.json`, JSON.stringify(summary))
console.log(
  `\n${summary.passed} passed, ${summary.failed} failed${summary.skipped > 0 ? `, ${summary.skipped} skipped` : ''}`,
)
process.exit(summary.failed > 0 || vitest.status !== 0 || summary.passed === 0 ? 1 : 0)
