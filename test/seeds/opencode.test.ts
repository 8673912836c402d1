import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '../../src/core/words/json.ts'
import { receivedItems } from '../e2e/opencode/received.ts'
import {
  hostCommand,
  hostTitle,
  type ServedSession,
  serveSession,
} from '../e2e/opencode/served-session.ts'
import { answerText, begin, command, say, stored } from '../e2e/opencode/steps.ts'
import type { ModelTurn, Operation } from '../model/scenario.ts'
import { row } from './statement.ts'

const file = (name: string): string =>
  Array.from({ length: 40 }, (_, at) => `const ${name}${at} = compute('${name}', ${at})`).join('\n')
const tool = (name: string, input: JsonObject): Operation => ({ kind: 'raw', name, input })
const bash = (line: string): ModelTurn => ({ operations: [{ kind: 'bash', command: line }] })
const todo = (status: 'pending' | 'in_progress'): ModelTurn => ({
  operations: [{ kind: 'todo', items: [{ content: 'The work', status }] }],
})

/** What the plugin has written to the host's log. */
function logOf({ home }: ServedSession): readonly string[] {
  const folder = path.join(home, '.local/share/opencode/log')
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(path.join(folder, name), 'utf8').split('\n'),
  )
  return lines.flatMap((line) => /\[auto-supersede\][^"]*/.exec(line) ?? [])
}

describe.skipIf(hostCommand === null)(
  hostTitle('auto-supersede and ACP in the real OpenCode'),
  () => {
    let session: ServedSession
    const shown = (turn: number): string => receivedItems(session.requests[turn - 1]!).join('\n')
    /** The requests whose last words are these. */
    const told = (words: string): readonly number[] =>
      session.requests.flatMap(({ body }, at) => (body.includes(words) ? [at + 1] : []))

    beforeAll(async () => {
      const read = (project: string): ModelTurn => ({
        operations: [{ kind: 'read', path: `${project}/a.ts` }],
      })
      const b = (project: string): { readonly filePath: string } => ({
        filePath: `${project}/b.ts`,
      })
      const write = (project: string, content: string): ModelTurn => ({
        operations: [tool('write', { ...b(project), content })],
      })
      session = await serveSession({
        format: 'openai-chat',
        files: { 'a.ts': file('a') },
        options: { preset: 'acp', strategies: { pruneThinking: false } },
        environment: { OPENCODE_LOG_LEVEL: 'DEBUG' },
        scenario: (project) => ({
          aux: 'The flow of the document',
          turns: [
            todo('pending'),
            read(project),
            todo('in_progress'),
            read(project),
            todo('in_progress'),
            {
              ...bash('seq -f "out %g of a long line" 1 60'),
              reasoning: `Perhaps ${'so '.repeat(99)}`,
            },
            write(project, 'const one = 1\n'),
            { operations: [tool('edit', { ...b(project), oldString: '1', newString: '2' })] },
            write(project, 'const one = 3\n'),
            bash('ls -la --full-time'),
            bash('ls -la  --full-time'),
            bash('seq -f "same %g of a long line" 1 20'),
            bash('seq -f "same %g of a long line" 1 20'),
            ...[14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25].map((turn) => bash(`echo ${turn}`)),
            { text: 'The flow is over.' },
            { operations: [tool('context_info', {})] },
            bash('echo 28'),
            {
              operations: [
                tool('context_prune', {
                  action: 'discard',
                  targets: [['{listed:reasoning}'], ['{handle:out 59 of}']],
                }),
              ],
            },
            { text: 'It is pruned.' },
          ],
        }),
        steps: () => [
          begin('s'),
          say('s', 'Use automata to work on it.'),
          say('s', 'Prune it.'),
          command('s', 'stats'),
          stored('s'),
        ],
      })
    }, 300_000)

    afterAll(() => session?.remove())

    row('000-01', () => {
      expect(session.answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect(session.all.flatMap(({ violations }) => violations)).toEqual([])
      expect(session.requests.length).toBe(30)
      // No tool has asked for it, and no later strategy has run: it is gone with the request behind the second read.
      expect(shown(3)).toContain('const a30 =')
      expect(shown(5).split('const a30 =').length - 1).toBe(1)
      expect(shown(5)).toMatch(/\[read [^\]]*a\.ts[^\]]*context_restore [0-9a-f]{6}\]/)
    })

    row('000-41', () => {
      // The flow of the document, the ten turns after it, and the next prompt.
      expect(told('The task list was last changed')).toEqual([11, 15, 19, 23, 27])
      const stuck = session.requests.flatMap(({ body }, at) => {
        const found = /A task has been in progress for (\d+) turns\./.exec(body)
        return found === null ? [] : [[at + 1, Number(found[1])]]
      })
      expect(stuck).toEqual([15, 19, 23, 27].map((turn) => [turn, turn - 3]))
    })

    row('000-42', () => {
      const counts = session.requests.map(
        ({ body }) => body.split('The task list was last changed').length - 1,
      )
      expect(Math.max(...counts)).toBe(1)
      expect(counts.filter((count) => count === 1).length).toBe(5)
    })

    row('000-43', () => {
      const counts = session.requests.map(
        ({ body }) => body.split('A moment for reflection').length - 1,
      )
      expect(Math.max(...counts)).toBe(1)
      expect(told('A moment for reflection')).toEqual([9, 17, 25])
    })

    row('000-44', () => {
      const words = ['The task list was last changed', 'A moment for reflection']
      const kept = JSON.stringify(session.answers.at(-1)?.body)
      expect(kept).toContain('Use automata to work on it.')
      for (const each of words) {
        expect(told(each).length).toBeGreaterThan(1)
        expect(kept).not.toContain(each)
        expect(session.requests.at(-1)?.body).not.toContain(each)
      }
    })

    it('logs every superseded call in the documented form, and /acp stats counts them', () => {
      const stats = answerText(session.answers.at(-2)?.body)
      expect(stats).toContain(`Strategy Effectiveness:\n${'─'.repeat(60)}\n  Auto-Supersede`)
      const log = logOf(session).map((line) =>
        line
          .replace('[auto-supersede] ', '')
          .replaceAll(/call_\w+/g, 'CALL')
          .replace(/hash [0-9a-f]{6,}:/, 'hash HANDLE:')
          .replace(/file \/.*\/b\.ts:/, 'file /…/b.ts:'),
      )
      expect(log.filter((line) => !line.startsWith('🔧'))).toEqual([
        '✅ todo: pruned old todowrite CALL',
        '🔄 hash HANDLE: CALL → CALL',
        // The third list is the second one again.
        '🔄 hash HANDLE: CALL → CALL',
        '📁 file /…/b.ts: write CALL superseded by edit',
        '📁 file /…/b.ts: edit CALL superseded by write',
        '📊 query ls -la --full-time: CALL → CALL',
        '🔄 hash HANDLE: CALL → CALL',
      ])
      for (const [kind, count] of Object.entries({ hash: 3, file: 2, todo: 1, query: 1 }))
        expect(stats.match(new RegExp(`^ {4}\\S+ ${kind} +${count} prunes, ~`, 'gm'))?.length).toBe(
          2,
        )
    })

    row('001-77', () => {
      const reasonings = (turn: number): readonly unknown[] => {
        const { messages } = JSON.parse(session.requests[turn - 1]!.body) as { messages: unknown[] }
        return messages.flatMap((each) =>
          isJsonObject(each) && each.reasoning_content !== undefined
            ? [each.reasoning_content]
            : [],
        )
      }
      expect(reasonings(29)).toContainEqual(expect.stringContaining('Perhaps so so'))
      expect(reasonings(30)).toEqual(reasonings(29).map(() => '—'))
      expect(shown(29)).toContain('out 59 of')
      expect(shown(30)).not.toContain('out 59 of')
      expect(answerText(session.answers.at(-2)?.body)).toMatch(/context_prune +2 prunes/)
    })
  },
)

describe.skipIf(hostCommand === null)(
  hostTitle('the smart tool history in the real OpenCode'),
  () => {
    let session: ServedSession
    const intent = 'a name that stands out'

    beforeAll(async () => {
      session = await serveSession({
        files: { 'config.py': file('c') },
        options: { preset: 'history', compressEdits: true, recentResults: 8 },
        scenario: (project) => {
          const read: ModelTurn = { operations: [{ kind: 'read', path: `${project}/config.py` }] }
          const change = {
            filePath: `${project}/config.py`,
            oldString: 'const c3 =',
            newString: 'const C3 =',
          }
          const plain = { ...change, oldString: 'const c4 =', newString: 'const C4 =' }
          return {
            aux: 'A title',
            turns: [
              ...Array.from({ length: 6 }, () => read),
              { operations: [tool('edit', { ...change, intent })] },
              { operations: [tool('edit', plain)] },
              ...Array.from({ length: 10 }, (_, at): ModelTurn => {
                const n = at + 10
                const words = { oldString: `const c${n} =`, newString: `const C${n} =` }
                const why = at < 3 ? 'Modified system prompt' : `Renamed c${n}`
                return { operations: [tool('edit', { ...change, ...words, intent: why })] }
              }),
              ...Array.from({ length: 9 }, (_, at) => bash(`echo ${at}`)),
              { text: 'Done.' },
            ],
          }
        },
        steps: () => [begin('s'), say('s', 'Work on it.'), stored('s')],
      })
    }, 300_000)

    afterAll(() => session?.remove())

    /** The edit tool as the model is offered it. */
    const editTool = (): JsonObject => {
      const { tools } = JSON.parse(session.requests[0]!.body) as { tools: readonly JsonObject[] }
      return tools.find(({ name }) => name === 'edit') ?? {}
    }

    row('003-06', () => {
      expect(session.all.flatMap(({ violations }) => violations)).toEqual([])
      const results = receivedItems(session.requests[6]!).filter((line) =>
        line.startsWith('result '),
      )
      expect(results.map((line) => (line.includes('const c30 =') ? 'F' : 'P')).join('')).toBe(
        'FPPFPF',
      )
      expect(results[1]).toMatch(/\[Re-read of .*config\.py - see earlier read for content\]/)
    })

    row('003-13', () => {
      const schema = editTool().input_schema as { properties?: JsonObject }
      expect(schema.properties?.intent).toEqual({ type: 'string', description: expect.any(String) })
    })

    row('003-14', () => {
      const schema = editTool().input_schema as { required?: readonly string[] }
      expect(schema.required).toEqual(['filePath', 'oldString', 'newString'])
      const results = receivedItems(session.requests[8]!).filter((line) =>
        line.includes('Edit applied'),
      )
      expect(results.length).toBe(2)
    })

    /** The edits of the last request, as the model sees its calls. */
    const compressed = (): readonly string[] =>
      receivedItems(session.requests.at(-1)!).filter((line) => line.includes('config.py"'))

    row('003-16', () => {
      expect(compressed().filter((line) => line.includes(`"intent":"${intent}"`)).length).toBe(1)
      expect(lists()[0]).toContain(`\n- ${intent}\n`)
    })

    const lists = (): readonly string[] =>
      receivedItems(session.requests.at(-1)!).filter((line) => line.includes('[Edits to '))

    row('003-31', () => {
      expect(lists()).toEqual([
        expect.stringMatching(/\[Edits to \/.*\/config\.py: 12 changes between turns 7-18\]\n/),
      ])
    })

    row('003-32', () => expect(lists()[0]).toContain('\n- Modified system prompt 3x\n'))

    row('003-33', () => expect(lists()[0]).toContain('\n[Full diff available in ground truth]'))

    row('003-34', () => {
      const before = receivedItems(session.requests[18]!).join('\n')
      expect(before.split('"oldString"').length - 1).toBe(12)
      expect(receivedItems(session.requests.at(-1)!).join('\n')).not.toContain('"oldString"')
      expect(JSON.stringify(session.answers.at(-1)?.body).split('"oldString"').length - 1).toBe(12)
    })

    row('003-15', () => {
      expect(receivedItems(session.requests[8]!).join('\n')).toContain(`"intent":"${intent}"`)
      expect(JSON.stringify(session.answers.at(-1)?.body)).toContain(`"intent":"${intent}"`)
    })
  },
)

describe.skipIf(hostCommand === null)(hostTitle('memory supersession in the real OpenCode'), () => {
  let session: ServedSession

  beforeAll(async () => {
    session = await serveSession({
      options: { memory: { inject: true } },
      scenario: () => ({
        aux: 'A title',
        turns: ['Noted.', 'Changed.', 'Fine.', 'It is set up.'].map((text) => ({ text })),
      }),
      steps: () => [
        begin('a'),
        say('a', 'We use npm.'),
        say('a', 'not npm, use pnpm'),
        // Reading happens behind a request, so the next one gives it time.
        say('a', 'Thanks.'),
        begin('b'),
        say('b', 'Set it up.'),
      ],
    })
  }, 300_000)

  afterAll(() => session?.remove())

  it('tells another conversation what the user said last, and not what it replaced', () => {
    expect(session.answers.map(({ status }) => status)).toEqual(session.answers.map(() => 200))
    expect(session.requests.length).toBe(4)
    const told = session.requests.map(({ body }) => body.match(/package manager: \w+/g) ?? [])
    expect(told[0]).toEqual([])
    expect(session.requests[3]?.body).toContain('Set it up.')
    expect(told[3]).toEqual(['package manager: pnpm'])
  })
})
