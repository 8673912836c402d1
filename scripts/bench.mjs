// `npm run bench [-- --quick]`: bundles the benchmark, because Node 20 runs no TypeScript, and runs it.
import { cache, ensureInstalled, inRoot, run } from './install.mjs'

ensureInstalled()
const { rolldown } = await import('rolldown')
const bundle = await rolldown({
  input: inRoot('bench/main.ts'),
  platform: 'node',
  external: [/^node:/],
  resolve: { mainFields: ['module', 'main'] },
  logLevel: 'warn',
})
const file = `${cache}/bench/main.mjs`
await bundle.write({ file, format: 'esm', codeSplitting: false })
await bundle.close()
run(process.execPath, [file, ...process.argv.slice(2)])
