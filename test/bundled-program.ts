import path from 'node:path'
import { build } from 'rolldown'
import { projectRoot } from './model/project-root.ts'

const bundles = new Map<string, Promise<string>>()

/**
 * A program of the project as one file of JavaScript that every runtime can start. Gives its path, two folders deep, as
 * in the package. Each worker bundles it once, into a file of its own.
 */
export function bundledProgram(...entry: readonly string[]): Promise<string> {
  const input = path.join(projectRoot, ...entry)
  const known = bundles.get(input) ?? bundle(input)
  bundles.set(input, known)
  return known
}

/** The command line. */
export function bundledCommand(): Promise<string> {
  return bundledProgram('src', 'cli', 'main.ts')
}

async function bundle(input: string): Promise<string> {
  const name = `${path.basename(input, '.ts')}-${process.pid}.mjs`
  const file = path.join(projectRoot, '.cache', 'bundles', name)
  await build({
    input,
    platform: 'node',
    external: [/^node:/, /^bun:/, 'pg'],
    // Without `module` first, jsonc-parser's UMD build is taken, which cannot be bundled.
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'silent',
    output: { file, format: 'esm', codeSplitting: false },
  })
  return file
}
