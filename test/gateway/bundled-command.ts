import path from 'node:path'
import { build } from 'rolldown'
import { projectRoot } from '../model/project-root.ts'

let bundled: Promise<string> | undefined

/** The command line as one file that Node 20 can start; gives its path. Two folders deep, as in the package. */
export function bundledCommand(): Promise<string> {
  bundled ??= bundle()
  return bundled
}

async function bundle(): Promise<string> {
  const file = path.join(projectRoot, '.cache', 'gateway', `palimpsest-${process.pid}.mjs`)
  await build({
    input: path.join(projectRoot, 'src', 'cli', 'main.ts'),
    platform: 'node',
    external: [/^node:/, /^bun:/, 'pg'],
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'silent',
    output: { file, format: 'esm', codeSplitting: false },
  })
  return file
}
