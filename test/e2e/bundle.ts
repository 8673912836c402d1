import { join } from 'node:path'
import { build } from 'rolldown'
import { projectRoot } from '../model/project-root.ts'

let bundled: Promise<string> | undefined

/** The driver as one file of JavaScript, so that Node 20 can run it as a process. */
export function bundledDriver(): Promise<string> {
  bundled ??= bundle(join(projectRoot, 'test', 'e2e', 'drive.ts'))
  return bundled
}

async function bundle(input: string): Promise<string> {
  const { output } = await build({
    input,
    platform: 'node',
    logLevel: 'silent',
    write: false,
    output: { format: 'esm', codeSplitting: false },
  })
  return output[0].code
}
