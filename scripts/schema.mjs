// `node scripts/schema.mjs`: writes schema.json, the JSON Schema of palimpsest.jsonc for editors, and the tables of docs/configuration.md from
// src/config/schema.ts.
import { readFileSync, writeFileSync } from 'node:fs'
import { cache, ensureInstalled, inRoot, run } from './install.mjs'

ensureInstalled()
const { rolldown } = await import('rolldown')
const bundle = await rolldown({
  input: {
    schema: inRoot('src/config/json-schema.ts'),
    tables: inRoot('test/config/keys-table.ts'),
  },
  platform: 'node',
  external: [/^node:/],
  resolve: { mainFields: ['module', 'main'] },
  logLevel: 'warn',
})
const folder = `${cache}/schema`
await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs' })
await bundle.close()
const { configJsonSchema } = await import(`${folder}/schema.mjs`)
const { withKeyTables } = await import(`${folder}/tables.mjs`)
writeFileSync(inRoot('schema.json'), `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
run(process.execPath, [
  inRoot('node_modules/@biomejs/biome/bin/biome'),
  'format',
  '--write',
  'schema.json',
])

const page = inRoot('docs/configuration.md')
writeFileSync(page, withKeyTables(readFileSync(page, 'utf8')))
