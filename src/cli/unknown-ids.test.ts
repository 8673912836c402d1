import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captureRun } from '../../test/captured-run.ts'
import { openStore, storeLocation } from '../store/index.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest unknown ids '))
const store = path.join(folder, 'some store.db')
const recording = path.resolve(import.meta.dirname, '../../examples/sample-session.json')

beforeAll(async () => {
  await (await openStore(storeLocation({ chosen: store, home: undefined, cwd: folder }))).close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Every command that takes the id of something, with one that is well formed and names nothing. */
const commands: readonly (readonly string[])[] = [
  ['restore', 'abcdef', '--store', store],
  ['restore', 'abcdef', '--session', 'no-such-session', '--store', store],
  ['explain', recording, 'abcdefabcdef'],
  ['timeline', recording, '/no/such/file.ts'],
  ['memory', 'get', 'fact_404', '--store', store],
  ['memory', 'history', 'fact_404', '--store', store],
  ['memory', 'forget', 'fact_404', '--store', store],
  ['memory', 'retract', 'fact_404', '--store', store],
  ['memory', 'undo', 'fact_404', '--store', store],
  ['memory', 'supersede', 'fact_404', 'fact_405', '--store', store],
  ['memory', 'review', 'flag_404', 'newer', '--store', store],
]

describe('an id that names nothing', () => {
  it.each(commands.map((args) => [args.slice(0, 2).join(' '), args] as const))(
    'is answered with no, and not with a lack of understanding: %s',
    async (_, args) => {
      const { code, out, err } = await captureRun(args, { cwd: folder })
      expect([code, out]).toEqual([1, ''])
      expect(err).toMatch(/404|no.such|abcdef/)
      expect(err.trimEnd().split('\n')).toHaveLength(1)
    },
  )

  it.each([
    [['restore', 'no handle', '--store', store]],
    [['memory', 'forget', '--store', store]],
    [['memory', 'review', 'flag_404', 'perhaps', '--store', store]],
  ])('is told apart from what is not understood: %s', async (args) => {
    expect(await captureRun(args, { cwd: folder })).toMatchObject({ code: 2, out: '' })
  })
})
