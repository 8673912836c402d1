// `npm run bench:speed`: bundles the measurements, because Node 20 cannot run TypeScript, and runs them with
// `--expose-gc`, which the memory measurements need.
import { spawnSync } from 'node:child_process'
import { cache, ensureInstalled, inRoot } from '../../scripts/install.mjs'

ensureInstalled()
const { rolldown } = await import('rolldown')
const bundle = await rolldown({
  input: inRoot('bench/speed/main.ts'),
  platform: 'node',
  external: [/^node:/, /^gpt-tokenizer/],
  resolve: { mainFields: ['module', 'main'] },
  logLevel: 'warn',
})
const file = `${cache}/speed/main.mjs`
await bundle.write({ file, format: 'esm', codeSplitting: false })
await bundle.close()
const { status } = spawnSync(
  process.execPath,
  ['--expose-gc', '--max-old-space-size=6144', file, ...process.argv.slice(2)],
  { cwd: inRoot(), stdio: 'inherit' },
)
process.exitCode = status ?? 1
