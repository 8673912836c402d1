// `node scripts/score.mjs`: bundles the scorer, because Node 20 cannot run TypeScript, and runs it. See `--help`.
import { rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, inRoot } from './install.mjs'

ensureInstalled()
const { rolldown } = await import('rolldown')
const bundle = await rolldown({
  input: inRoot('bench/score/main.ts'),
  platform: 'node',
  external: [/^node:/],
  resolve: { mainFields: ['module', 'main'] },
  logLevel: 'warn',
})
// Each run has its own file, so that parallel runs do not overwrite each other.
const file = inRoot('.cache', 'score', `main-${process.pid}.mjs`)
await bundle.write({ file, format: 'esm', codeSplitting: false })
await bundle.close()
process.on('exit', () => rmSync(file, { force: true }))
await import(pathToFileURL(file).href)
