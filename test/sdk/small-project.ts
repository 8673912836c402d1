import { isJsonObject, parseJson } from '../../src/core/words/json.ts'
import type { ModelTurn, Scenario } from '../model/scenario.ts'

/** A tool call that an SDK's answer holds. */
export interface AskedCall {
  readonly name: string
  readonly input: unknown
}

export interface SmallProject {
  /** Answers a call of one of `projectTools`. */
  run(call: AskedCall): string
}

const text = { type: 'string' } as const
const tool = (name: string, description: string, ...fields: readonly string[]): ProjectTool => ({
  name,
  description,
  schema: {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, text])),
    required: [...fields],
  },
})

export interface ProjectTool {
  readonly name: string
  readonly description: string
  readonly schema: {
    type: 'object'
    properties: Record<string, { type: 'string' }>
    required: string[]
  }
}

export const projectTools: readonly ProjectTool[] = [
  tool('read', 'Reads a file.', 'path'),
  tool('edit', 'Replaces a text in a file.', 'path', 'old_string', 'new_string'),
  tool('bash', 'Runs a command.', 'command'),
]

const files = ['src/cart.ts', 'src/price.ts', 'src/order.ts'] as const

/** Three files in memory, which the tools read and edit, and a check that prints much. */
export function createProject(): SmallProject {
  const texts = new Map(files.map((path) => [path as string, textOf(path)]))
  let checks = 0
  return {
    run({ name, input }) {
      const given = typeof input === 'string' ? parseJson(input) : input
      const {
        path = '',
        old_string: old = '',
        new_string: next = '',
      } = isJsonObject(given) ? given : {}
      const known = texts.get(String(path)) ?? ''
      switch (name) {
        case 'read':
          return known
        case 'edit':
          texts.set(String(path), known.replace(String(old), String(next)))
          return `Edited ${path}.`
        default: {
          checks += 1
          const lines = Array.from(
            { length: 150 },
            (_, at) => `ok ${at} - case ${at} of run ${checks}`,
          )
          return [...lines, `150 passed in run ${checks}`].join('\n')
        }
      }
    },
  }
}

function textOf(path: string): string {
  const lines = Array.from(
    { length: 160 },
    (_, at) => `export const value${at} = compute('${path}', ${at}) // step 0`,
  )
  return `${lines.join('\n')}\n`
}

/** Files are read, edited and read again, and the checks run after each edit: newer work replaces much of it. */
export function workScenario(rounds: number, restoresAt: number = rounds - 1): Scenario {
  const turns = Array.from({ length: rounds }, (_, round): readonly ModelTurn[] => {
    const path = files[round % files.length] as string
    const line = (at: number, step: number): string =>
      `export const value${at} = compute('${path}', ${at}) // step ${step}`
    return [
      { text: `Round ${round}.`, operations: [{ kind: 'read', path }] },
      {
        operations: [
          { kind: 'edit', path, old: line(round, 0), new: line(round, round + 1) },
          { kind: 'bash', command: `npm test -- round-${round}` },
        ],
      },
      ...(round === restoresAt ? [{ operations: [{ kind: 'restore' as const }] }] : []),
    ]
  })
  return { turns: [...turns.flat(), { text: 'All rounds are done.' }] }
}
