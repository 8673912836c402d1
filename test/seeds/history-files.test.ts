import { describe, expect } from 'vitest'
import { resolveSettings } from '../../src/config/resolve.ts'
import { fileStateAt, generateChangelog } from '../../src/index.ts'
import { withPalimpsest } from '../../src/sdk/index.ts'
import { engineFor, lines, messagesOf, type ToldCall, tell } from '../engine/told-session.ts'
import { useOwnHome } from '../sdk/own-home.ts'
import { type Act, bash, edit, read, shapeOf } from './acted.ts'
import { hostedSession } from './hosted-session.ts'
import { recordedSession } from './recorded.ts'
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

describe('reads in the smart tool history', () => {
  useOwnHome()

  /** So many reads of one file, beside three of another, of which the second is a pointer. */
  const beside = (count: number): Promise<string> =>
    shapeOf(history, [
      ...Array.from({ length: count }, () => read('a.py')),
      ...[1, 2, 3].map(() => read('b.py')),
    ])
  row('003-01', async () => expect(await beside(1)).toBe('FFHF'))
  row('003-02', async () => expect(await beside(2)).toBe('FFFHF'))
  row('003-03', () => expect(shape(3)).toBe('FPF'))
  row('003-04', () => expect(shape(4)).toBe('FPPF'))
  row('003-05', () => expect(shape(5)).toBe('FPPPF'))

  row('003-07', () => {
    expect(shape(6)).toBe('FPPFPF')
    for (const count of [7, 10, 14, 30]) {
      const kept = shape(count)
      const middle = kept.slice(1, -1).split('F').length - 1
      expect([kept[0], kept.at(-1)]).toEqual(['F', 'F'])
      expect(middle).toBe(Math.min(3, Math.floor((count - 2) / 4)))
    }
  })

  row('003-08', () => {
    expect(shape(20)).toBe('FPPPFPPPPPFPPPPPFPPF')
    expect(shape(12, 8)).toBe('FPPFPPPPFPPF')
  })

  row('003-09', async () => {
    const turns = Array.from({ length: 4 }, (_, at) => {
      const called = { name: 'read', arguments: '{"filePath":"config.py"}' }
      return [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: `call_${at}`, type: 'function', function: called }],
        },
        { role: 'tool', tool_call_id: `call_${at}`, content: lines(1, 20) },
      ]
    })
    const sent: string[] = []
    const provider: typeof globalThis.fetch = async (_, init) => {
      sent.push(String(init?.body))
      return Response.json({ choices: [] })
    }
    const fetch = withPalimpsest(provider, { ...history, store: 'memory:' })
    const messages = [{ role: 'user', content: 'Work on it.' }, ...turns.flat()]
    await fetch('https://provider.test/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-5.5', messages }),
    })
    await fetch.close()
    const results = JSON.parse(sent[0] ?? '{}').messages.filter(
      (each: { role: string }) => each.role === 'tool',
    )
    expect(results).toEqual(
      [0, 1, 2, 3].map((at) => ({
        role: 'tool',
        tool_call_id: `call_${at}`,
        content:
          at === 0 || at === 3
            ? lines(1, 20)
            : expect.stringMatching(/^\[Re-read of config\.py - see earlier read for content\]/),
      })),
    )
  })

  row('003-10', async () => {
    const session = await hostedSession(history)
    for (let n = 0; n < 3; n++)
      await session.call('read', { filePath: 'src/config.py' }, lines(1, 20))
    expect((await session.shown()).join('\n')).toContain(
      '[Re-read of src/config.py - see earlier read for content]',
    )
  })

  row('003-11', async () => {
    const acts = ['a', 'b', 'a', 'b', 'a', 'b'].map((name) => read(`${name}.py`))
    expect(await shapeOf(history, acts)).toBe('FFHHFF')
  })
})

describe('edits in the smart tool history', () => {
  const change = (n: number): ToldCall => ({
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
  const edited = Array.from({ length: 12 }, (_, n) => [change(n)])
  const others = Array.from({ length: 30 }, (_, n) => [
    { id: `o${n}`, tool: 'lookup', input: { n }, output: `found ${n}` },
  ])

  row('003-12', () => {
    expect(tell([...edited, ...others], settings).inputs).toEqual({})
    const own = resolveSettings({ ...history, keepAllEdits: false })
    expect(tell([...edited, ...others], own).inputs).not.toEqual({})
  })

  const compressed = (): string => {
    const own = resolveSettings({ ...history, compressEdits: true })
    const { decisions } = tell([...edited, ...others], own)
    return decisions.find(({ rendition }) => rendition.how === 'distilled')?.rendition.text ?? ''
  }
  row('003-16', () => {
    expect(compressed()).toContain('- Raise the level to 12')
    expect(compressed()).not.toContain('old old')
  })
  row('003-31', () =>
    expect(compressed()).toContain('[Edits to config.py: 12 changes between turns 1-12]'),
  )
  row('003-32', () => expect(compressed()).toContain('- Modified system prompt 3x'))
  row('003-33', () => expect(compressed()).toContain('[Full diff available in ground truth]'))
  row('003-34', () => {
    const own = resolveSettings({ ...history, compressEdits: true })
    const { inputs } = tell([...edited, ...others], own)
    expect(Object.keys(inputs)).toEqual(edited.flat().map(({ id }) => id))
  })

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

  const intents = {
    'core/agent.py': 'Increased tool retention for better context',
    'config.py': 'Added new model configuration',
    'tools/tools.py': 'Fixed bash timeout handling',
  }
  const onCommandLine = recordedSession([
    ...Object.entries(intents).map(([filePath, intent]): Act => {
      const { input, ...rest } = edit(filePath, { output: 'Edit applied.' })
      return { ...rest, input: { ...input, intent } }
    }),
    bash('npm test'),
  ])
  row('003-29', async () => {
    const { out } = await onCommandLine('changelog')
    for (const [file, intent] of Object.entries(intents))
      expect(out).toContain(`- ${file}: ${intent}`)
  })

  row('003-30', () => {
    const engine = engineFor(settings)
    const content = 'level = 1\n'
    const written = { filePath: '/p/config.py', content }
    engine.request(messagesOf([[{ id: 'w', tool: 'write', input: written, output: 'Wrote it.' }]]))
    expect(fileStateAt(engine, 'config.py', 1).text).toBe(content)
    expect(engine.files.stateAt('config.py', 1).text).toBe(content)
  })
})
