import { describe, expect } from 'vitest'
import { createEngine, fileStateAt, generateChangelog } from '../../src/index.ts'
import { withPalimpsest } from '../../src/sdk/index.ts'
import { lines, messagesOf, type ToldCall } from '../engine/told-session.ts'
import { useOwnHome } from '../sdk/own-home.ts'
import { type Act, acted, bash, edit, read, shapeOf } from './acted.ts'
import { hostedSession } from './hosted-session.ts'
import { recordedSession } from './recorded.ts'
import { row } from './statement.ts'

const history = { preset: 'history' } as const
/** So many reads of one file: F for a read in full, P for a pointer. They give the same, one by one and at once. */
async function shape(count: number, given: object = {}): Promise<string> {
  const reads = Array.from({ length: count }, () => read('config.py', { output: lines(1, 20) }))
  const one = await acted({ ...history, ...given }, reads)
  const all = await acted({ ...history, ...given }, reads, 'at once')
  expect(all.said).toEqual(one.said)
  for (const [at, said] of one.said.entries())
    expect(said.includes('[Re-read of config.py')).toBe(one.shape[at] === 'H')
  return one.shape.replaceAll('H', 'P')
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
  row('003-03', async () => expect(await shape(3)).toBe('FPF'))
  row('003-04', async () => expect(await shape(4)).toBe('FPPF'))
  row('003-05', async () => expect(await shape(5)).toBe('FPPPF'))

  row('003-07', async () => {
    expect(await shape(6)).toBe('FPPFPF')
    for (const count of [7, 10, 14, 30]) {
      const kept = await shape(count)
      const middle = kept.slice(1, -1).split('F').length - 1
      expect([kept[0], kept.at(-1)]).toEqual(['F', 'F'])
      expect(middle).toBe(Math.min(3, Math.floor((count - 2) / 4)))
    }
  })

  row('003-08', async () => {
    expect(await shape(8)).toBe('FPPPFPPF')
    expect(await shape(12)).toBe('FPPFPPPPFPPF')
    expect(await shape(20)).toBe('FPPPFPPPPPFPPPPPFPPF')
    expect(await shape(12, { maxFileReads: 8 })).toBe('FPPFPPPPFPPF')
    expect(await shape(30, { maxFileReads: 8 })).toBe('FPPFPPPPFPPPFPPPPFPPPPFPPPFPPF')
    expect(await shape(20, { maxFileReads: 3 })).toBe('FPPPPPPPPPFPPPPPPPPF')
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
    input: { filePath: 'config.py', oldString: `a${n}`, newString: `b${n}`, intent: `Step ${n}` },
    output: 'Edit applied successfully.',
  })
  const edits = Array.from({ length: 12 }, (_, n) => change(n))

  /** How many of twelve small edits still have their diff, when they are no longer among the newest results. */
  const diffsUnder = async (given: object): Promise<number> => {
    const others = Array.from({ length: 32 }, (_, n): Act => ({ tool: 'lookup', input: { n } }))
    const acts = edits.map(({ tool, input, output }) => ({ tool, input: Object(input), output }))
    const { said } = await acted({ ...history, ...given }, [...acts, ...others])
    return said.filter((text) => text.includes('"oldString"')).length
  }

  row('003-12', async () => {
    expect(await diffsUnder({})).toBe(12)
    expect(await diffsUnder({ keepAllEdits: true })).toBe(12)
    expect(await diffsUnder({ keepAllEdits: false })).toBe(0)
    expect(await diffsUnder({ keepAllEdits: true, compressEdits: true })).toBe(0)
  })

  row('003-21', async () => {
    const session = await hostedSession(history)
    await session.call('bash', { command: 'npm test' }, lines(1, 400))
    expect((await session.shown()).join('\n')).toMatch(/ → \$ npm test\n\nline 1 of/)
  })

  const intents = {
    'core/agent.py': 'Increased tool retention for better context',
    'config.py': 'Added new model configuration',
    'tools/tools.py': 'Fixed bash timeout handling',
  }
  row('003-28', () => {
    // The example of the document, in the words of the agent whether the folder is known or not.
    for (const cwd of [null, '/home/dev/the app']) {
      const session = createEngine({ ...history, cwd })
      const turns = Object.entries(intents).map(([filePath, intent], n): readonly ToldCall[] => [
        { ...change(n), input: { filePath, oldString: 'a', newString: 'b', intent } },
      ])
      session.request(messagesOf(turns))
      expect(generateChangelog(session).split('\n')).toEqual(
        Object.entries(intents).map(([file, intent]) => `- ${file}: ${intent}`),
      )
    }
  })

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
    for (const filePath of ['config.py', '/p/config.py', '/p/src/config.py']) {
      const session = createEngine({ ...history, cwd: '/p' })
      const write = (id: string, content: string): readonly ToldCall[] => [
        { id, tool: 'write', input: { filePath, content }, output: 'Wrote it.' },
      ]
      const turns = [write('a', 'level = 1\n'), [], write('b', 'level = 2\n')]
      session.request(messagesOf(turns))
      for (const [turn, text] of ['level = 1\n', 'level = 1\n', 'level = 2\n'].entries()) {
        expect(fileStateAt(session, 'config.py', turn + 1).text).toBe(text)
        expect(session.files.stateAt('config.py', turn + 1).text).toBe(text)
      }
      expect(fileStateAt(session, 'other.py', 3).text).toBeNull()
    }
  })
})
