// `node scripts/schema.mjs`: writes schema.json, the JSON Schema of palimpsest.jsonc for editors, from src/config/schema.ts.
import { writeFileSync } from 'node:fs'
import { cache, ensureInstalled, inRoot, run } from './install.mjs'

ensureInstalled()
const { rolldown } = await import('rolldown')
const bundle = await rolldown({
  input: inRoot('src/config/json-schema.ts'),
  platform: 'node',
  external: [/^node:/],
  resolve: { mainFields: ['module', 'main'] },
  logLevel: 'warn',
})
const file = `${cache}/schema/json-schema.mjs`
await bundle.write({ file, format: 'esm', codeSplitting: false })
await bundle.close()
const { configJsonSchema } = await import(file)
writeFileSync(inRoot('schema.json'), `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
run(process.execPath, [
  inRoot('node_modules/@biomejs/biome/bin/biome'),
  'format',
  '--write',
  'schema.json',
])
