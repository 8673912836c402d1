import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from '../test/model/project-root.ts'

// The comparison is a suite, because it has to hold; here its table is printed.
const { status } = spawnSync(
  process.execPath,
  [
    join(projectRoot, 'node_modules/vitest/vitest.mjs'),
    'run',
    'test/e2e/opencode/peers.test.ts',
    '--disable-console-intercept=true',
    ...process.argv.slice(2),
  ],
  { cwd: projectRoot, stdio: 'inherit' },
)
process.exitCode = status ?? 1
