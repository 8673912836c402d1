import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { bash } from './acted.ts'
import { recordedSession } from './recorded.ts'
import { row } from './statement.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest acp '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The block of the document, with its comments and trailing commas. */
const documented = `{
    "strategies": {
        "aggressivePruning": {
            "pruneToolInputs": true,
            "pruneStepMarkers": true,
            "pruneSourceUrls": true,
            "pruneFiles": true, // attachments
            "pruneSnapshots": true,
            "pruneRetryParts": true,
            "pruneUserCodeBlocks": true,
            "truncateOldErrors": true,
            "aggressiveFilePrune": true,
            "stateQuerySupersede": true,
        },
    },
}
`

describe('the configuration of ACP', () => {
  const onCommandLine = recordedSession([bash('ls'), bash('ls '), bash('make')])
  const statsUnder = async (text: string): Promise<string> => {
    const file = path.join(folder, 'acp.jsonc')
    writeFileSync(file, text)
    const { out, err, code } = await onCommandLine('stats', '--config', file)
    expect([err, code]).toEqual(['', 0])
    return out
  }

  row('001-28', async () => {
    expect(await statsUnder(documented)).toMatch(/📊 query +1 prunes/)
    const off = documented.replace('"stateQuerySupersede": true', '"stateQuerySupersede": false')
    expect(await statsUnder(off)).not.toContain('📊 query')
  })
})
