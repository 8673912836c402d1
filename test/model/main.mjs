// Runs the scripted model as a process of its own. Node 20 cannot run TypeScript, so it is bundled first.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, '.cache', 'model')
const file = join(folder, `serve-${process.pid}.mjs`)
await mkdir(folder, { recursive: true })
await build({
  input: fileURLToPath(new URL('serve.ts', import.meta.url)),
  platform: 'node',
  logLevel: 'silent',
  output: { file, format: 'esm', codeSplitting: false },
})
try {
  await import(pathToFileURL(file).href)
} finally {
  await rm(file, { force: true })
}
