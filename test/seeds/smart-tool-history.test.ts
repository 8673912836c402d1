import { describe, expect } from 'vitest'
import { resolveSettings } from '../../src/config/resolve.ts'
import { fileStateAt, generateChangelog } from '../../src/index.ts'
import { engineFor, lines, messagesOf, type ToldCall, tell } from '../engine/told-session.ts'
import { hostedSession } from './hosted-session.ts'
import { row } from './statement.ts'

const history = { preset: 'history' } as const
const settings = resolveSettings(history)
const reads = (count: number): readonly ToldCall[][] =>
  Array.from({ length: count }, (_, at) => [
    { id: `r${at}`, tool: 'read', input: { filePath: 'config.py' }, output: lines(1, 20) },
  ])
/** F for a read in full, P for a pointer. */
const shape = (count: number, maxFileReads = 5): string => {
  const own = resolveSettings({ ...history, maxFileReads })
  const { results } = tell(reads(count), own)
  return Array.from({ length: count }, (_, at) => (`r${at}` in results ? 'P' : 'F')).join('')
}
const edit = (n: number): ToldCall => ({
  id: `e${n}`,
  tool: 'edit',
  input: {
    filePath: 'config.py',
    oldString: `level = ${n} # ${'old '.repeat(20)}`,
    newString: `level = ${n + 1} # ${'new '.repeat(20)}`,
    intent: n < 3 ? 'Modified system prompt' : `Raise the level to ${n + 1}`,
  },
  output: 'Edit applied successfully.',
})
const edited = Array.from({ length: 12 }, (_, n) => [edit(n)])
const others = Array.from({ length: 30 }, (_, n) => [
  { id: `o${n}`, tool: 'lookup', input: { n }, output: `found ${n}` },
])

describe('the smart tool history', () => {
  row('003-05', () => expect(shape(5)).toBe('FPPPF'))
  row('003-06', () => expect(shape(6)).toBe('FPPFPF'))
  row('003-08', () => {
    expect(shape(20)).toBe('FPPPFPPPPPFPPPPPFPPF')
    expect(shape(12, 8)).toBe('FPPFPPPPFPPF')
  })

  row('003-10', async () => {
    const session = await hostedSession(history)
    for (let n = 0; n < 3; n++)
      await session.call('read', { filePath: 'src/config.py' }, lines(1, 20))
    expect((await session.shown()).join('\n')).toContain(
      '[Re-read of src/config.py - see earlier read for content]',
    )
  })

  row('003-12', () => expect(tell([...edited, ...others], settings).inputs).toEqual({}))

  const compressed = (): string => {
    const own = resolveSettings({ ...history, compressEdits: true })
    const { decisions } = tell([...edited, ...others], own)
    return decisions.find(({ rendition }) => rendition.how === 'distilled')?.rendition.text ?? ''
  }
  row('003-31', () =>
    expect(compressed()).toContain('[Edits to config.py: 12 changes between turns 1-12]'),
  )
  row('003-32', () => expect(compressed()).toContain('- Modified system prompt 3x'))
  row('003-33', () => expect(compressed()).toContain('[Full diff available in ground truth]'))
  row('003-34', () => expect(compressed()).toContain('- Raise the level to 12'))

  row('003-21', async () => {
    const session = await hostedSession(history)
    await session.call('bash', { command: 'npm test' }, lines(1, 400))
    expect((await session.shown()).join('\n')).toMatch(/ → \$ npm test\n\nline 1 of/)
  })

  row('003-28', () => {
    const engine = engineFor(settings)
    engine.request(messagesOf(edited))
    expect(generateChangelog(engine)).toContain('- config.py: Raise the level to 12')
  })

  row('003-30', () => {
    const engine = engineFor(settings)
    const content = 'level = 1\n'
    const write = { filePath: '/p/config.py', content }
    engine.request(messagesOf([[{ id: 'w', tool: 'write', input: write, output: 'Wrote it.' }]]))
    expect(fileStateAt(engine, 'config.py', 1).text).toBe(content)
    expect(engine.files.stateAt('config.py', 1).text).toBe(content)
  })
})
