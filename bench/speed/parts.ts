import { spawnSync } from 'node:child_process'
import type { BenchRow } from '../bench-row.ts'
import { benchBody } from '../body.ts'
import { benchMemory, benchTimes, benchVisits } from '../engine.ts'
import { benchRecord } from '../record.ts'
import { benchRecordings } from '../recordings.ts'
import { benchResumes } from '../resumes.ts'
import { benchTokens } from '../tokens.ts'

type Part = (options: { readonly quick: boolean }) => PromisedRows
type PromisedRows = readonly BenchRow[] | Promise<readonly BenchRow[]>

const parts: Readonly<Record<string, Part>> = {
  tokens: benchTokens,
  record: benchRecord,
  body: benchBody,
  recordings: benchRecordings,
  visits: benchVisits,
  times: benchTimes,
  resumes: benchResumes,
  memory: benchMemory,
}

/** The rows of all parts. Each runs in its own process, so that it is not slowed by the ones before. */
export function partRows(script: string, quick: boolean): readonly BenchRow[] {
  return Object.keys(parts).flatMap((name) => {
    const args = [...process.execArgv, script, '--part', name, ...(quick ? ['--quick'] : [])]
    const { stdout, status } = spawnSync(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`the part ${name} ended with code ${status}`)
    return JSON.parse(stdout) as readonly BenchRow[]
  })
}

/** The rows of one part, in this process. */
export async function rowsOfPart(name: string, quick: boolean): Promise<readonly BenchRow[]> {
  const part = parts[name]
  if (part === undefined)
    throw new Error(`no part is called ${name}; there are ${Object.keys(parts).join(', ')}`)
  return part({ quick })
}
