import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { correctingPhrases } from '../../src/memory/understand/correction-cues.ts'
import { runMemoryCommand } from './run-memory-command.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest cues '))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** What `memory observe` makes of the last of several messages. */
async function observed(...texts: readonly string[]): Promise<unknown> {
  const messages = texts.map((text, id) => `${JSON.stringify({ id, role: 'user', text })}\n`)
  const { out } = await runMemoryCommand(
    { folder, now: Date.now },
    ['observe', '--json'],
    messages.join(''),
  )
  return JSON.parse(out.trim().split('\n').at(-1) ?? '')
}

describe('a wording of the cue table', () => {
  it.each(correctingPhrases)(
    'is reported as a correction and changes the memory: %s',
    async (cue) => {
      const corrected = {
        corrections: [{ new: 'bun' }],
        changes: [{ op: 'supersede', key: 'package_manager', value: 'bun' }],
      }
      expect(await observed('We use npm here.', `${cue}, bun`)).toMatchObject(corrected)
    },
  )

  it.each([
    'Oh no, my bad, bun.',
    'Hmmm, sorry, no, I meant bun',
    'I’m sorry, make that bun',
    'wait, bun',
  ])('is understood among other cues: %s', async (text) => {
    expect(await observed('We use npm here.', text)).toMatchObject({
      corrections: [{ new: expect.stringMatching(/^bun$/) }],
      changes: [{ op: 'supersede', value: 'bun' }],
    })
  })

  it.each([
    'my badge is bun-shaped',
    'Update the README',
    'actually, no semicolons were used by bun',
  ])('is not found in other words: %s', async (text) => {
    expect(await observed('We use npm here.', text)).toMatchObject({ changes: [] })
  })
})
