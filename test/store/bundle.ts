import path from 'node:path'
import { build } from 'rolldown'
import { projectRoot } from '../model/project-root.ts'

/** A program of this folder as one file of JavaScript that every runtime can start; gives its path. */
export async function bundledProgram(name: string): Promise<string> {
  const file = path.join(projectRoot, '.cache', 'store', `${name}.mjs`)
  await build({
    input: path.join(projectRoot, 'test', 'store', `${name}.ts`),
    platform: 'node',
    external: [/^node:/, /^bun:/, 'pg'],
    resolve: { mainFields: ['module', 'main'] },
    logLevel: 'silent',
    output: { file, format: 'esm', codeSplitting: false },
  })
  return file
}
