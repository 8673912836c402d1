import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { newestVersion } from '../scripts/agents.mjs'
import { projectRoot } from '../test/model/project-root.ts'

const run = (...args: readonly string[]): number =>
  spawnSync(process.execPath, args, { cwd: projectRoot, stdio: 'inherit' }).status ?? 1

// OpenCode searches files with the `rg` that comes with Codex.
const hosts = ['opencode', 'codex'].flatMap((client) => [
  '--only',
  `${client}-${newestVersion(client)}`,
])
const installed = run(join(projectRoot, 'scripts/agents.mjs'), ...hosts)
// The comparison is a test suite; this prints its table.
process.exitCode =
  installed ||
  run(
    join(projectRoot, 'node_modules/vitest/vitest.mjs'),
    'run',
    'test/e2e/opencode/peers.test.ts',
    '--disable-console-intercept=true',
    ...process.argv.slice(2),
  )
