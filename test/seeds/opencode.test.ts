import { afterAll, beforeAll, describe, expect } from 'vitest'
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
      session = await serveSession({
        format: 'openai-chat',
        files: { 'a.ts': file('a') },
        options: { preset: 'acp', strategies: { pruneThinking: false } },
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
            ...[7, 8, 9, 10, 11, 12, 13, 14, 15, 16].map((turn) => bash(`echo ${turn}`)),
            { text: 'The flow is over.' },
            { operations: [tool('context_info', {})] },
            bash('echo 19'),
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
      expect(session.requests.length).toBe(21)
      // No tool has asked for it, and no later strategy has run: it is gone with the request behind the second read.
      expect(shown(3)).toContain('const a30 =')
      expect(shown(5).split('const a30 =').length - 1).toBe(1)
      expect(shown(5)).toMatch(/\[read [^\]]*a\.ts[^\]]*context_restore [0-9a-f]{6}\]/)
    })

    row('000-41', () => {
      expect(told('The task list was last changed')).toEqual([11, 15, 19])
      expect(session.requests[14]?.body).toContain('A task has been in progress for 12 turns.')
      expect(session.requests[10]?.body).not.toContain('A task has been in progress')
    })

    row('000-42', () => {
      const counts = session.requests.map(
        ({ body }) => body.split('The task list was last changed').length - 1,
      )
      expect(Math.max(...counts)).toBe(1)
      expect(counts.filter((count) => count === 1).length).toBe(3)
    })

    row('000-43', () => {
      const counts = session.requests.map(
        ({ body }) => body.split('A moment for reflection').length - 1,
      )
      expect(Math.max(...counts)).toBe(1)
      expect(told('A moment for reflection')).toEqual([9, 17])
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

    row('001-77', () => {
      const reasonings = (turn: number): readonly unknown[] => {
        const { messages } = JSON.parse(session.requests[turn - 1]!.body) as { messages: unknown[] }
        return messages.flatMap((each) =>
          isJsonObject(each) && each.reasoning_content !== undefined
            ? [each.reasoning_content]
            : [],
        )
      }
      expect(reasonings(20)).toContainEqual(expect.stringContaining('Perhaps so so'))
      expect(reasonings(21)).toEqual(reasonings(20).map(() => '—'))
      expect(shown(20)).toContain('out 59 of')
      expect(shown(21)).not.toContain('out 59 of')
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
        options: { preset: 'history' },
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

    row('003-15', () => {
      expect(receivedItems(session.requests[8]!).join('\n')).toContain(`"intent":"${intent}"`)
      expect(JSON.stringify(session.answers.at(-1)?.body)).toContain(`"intent":"${intent}"`)
    })
  },
)
