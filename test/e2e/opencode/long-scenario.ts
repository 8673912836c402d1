import type { ModelTurn, Operation, Scenario } from '../../model/scenario.ts'

const words = 'with some words that make it long enough'

export function fileText(name: string, lines: number): string {
  const rows = Array.from({ length: lines }, (_, at) => `const ${name}${at + 1} = '${words}'`)
  return `${rows.join('\n')}\n`
}

export const longFiles: Readonly<Record<string, string>> = {
  'a.ts': fileText('a', 80),
  'b.ts': fileText('b', 60),
}

/** Re-reads, edits, failures, lists and outputs, ten kinds of steps over and over, and a last word. */
export function longScenario(project: string, steps: number): Scenario {
  const turns = Array.from({ length: steps }, (_, step): ModelTurn => {
    const operation = stepAt(project, step)
    return { operations: [operation], ...(step % 7 === 0 ? { text: `Step ${step}.` } : {}) }
  })
  return { aux: 'A title', turns: [...turns, { text: 'All done.' }], last: 'Nothing more.' }
}

function stepAt(project: string, step: number): Operation {
  const round = Math.floor(step / 10)
  const [a, b] = [`${project}/a.ts`, `${project}/b.ts`]
  const steps: readonly Operation[] = [
    { kind: 'read', path: a },
    { kind: 'read', path: b },
    {
      kind: 'edit',
      path: b,
      old: `const b${round + 1} = '${words}'`,
      new: `const b${round + 1} = 'changed in round ${round}'`,
    },
    { kind: 'read', path: b },
    { kind: 'bash', command: `false # ${round}` },
    { kind: 'bash', command: `seq ${round} ${round + 900}` },
    { kind: 'todo', items: [{ content: `Round ${round}`, status: 'in_progress' }] },
    { kind: 'read', path: a },
    { kind: 'bash', command: 'ls' },
    { kind: 'bash', command: 'cat a.ts' },
  ]
  return steps[step % steps.length]!
}
