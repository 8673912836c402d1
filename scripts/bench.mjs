// `npm run bench [-- --quick]`: bundles the benchmarks, because Node 20 runs no TypeScript, and runs them with a
// garbage collector that can be called, because memory is one of the figures.
import { build } from './build.mjs'
import { cache, inRoot, run } from './install.mjs'

await build()
const { rolldown } = await import('rolldown')
const bundle = await rolldown({
  input: inRoot('bench/main.ts'),
  platform: 'node',
  external: [/^node:/, /^gpt-tokenizer/],
  resolve: { mainFields: ['module', 'main'] },
  logLevel: 'warn',
})
await bundle.write({ file: `${cache}/bench/main.mjs`, format: 'esm', codeSplitting: false })
await bundle.close()
run(process.execPath, ['--expose-gc', `${cache}/bench/main.mjs`, ...process.argv.slice(2)])
