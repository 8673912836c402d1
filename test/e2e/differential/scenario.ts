import type { ModelTurn, Operation, Scenario } from '../../model/scenario.ts'
import type { Story } from '../gateway/gateway-session.ts'
import { type FileShape, fileShapes } from './shapes.ts'

const closing = 'Every file was read, changed and read again.'

/** What is done with each file, step by step; a step is taken with all files before the next one begins. */
const steps: readonly ((path: string, shape: FileShape) => Operation)[] = [
  (path) => ({ kind: 'read', path }),
  (path) => ({ kind: 'read', path }),
  (path, { change }) =>
    change === null
      ? { kind: 'write', path, content: 'const filled = 1\nconst more = 2\n' }
      : { kind: 'edit', path, ...change },
  (path) => ({ kind: 'read', path, offset: 20, limit: 25 }),
  (path) => ({ kind: 'bash', command: `cat '${path}'` }),
  (path) => ({ kind: 'bash', command: `sed -n '10,40p' '${path}'` }),
  (path) => ({ kind: 'read', path }),
]

/** Calls that fail, and commands that are run again. */
function otherTurns(folder: string): readonly ModelTurn[] {
  const alone = (...operations: readonly Operation[]): ModelTurn => ({ operations })
  const bash = (command: string): Operation => ({ kind: 'bash', command })
  const absent = `${folder}/src/absent.js`
  const { path } = fileShapes[0] as FileShape
  const checked = bash('seq -f "checked case %g: fine" 1 200')
  const failing = bash('seq -f "broken case %g" 1 60; exit 3')
  return [
    alone({ kind: 'read', path: absent }),
    alone({ kind: 'read', path: `${folder}/${path}`, offset: 61 }),
    alone(bash(`cat -n '${folder}/src/gap.js'`)),
    // The failure goes first: what it saves decides where the cut is, whatever a client adds to the wire.
    alone(failing),
    alone(checked),
    alone({ kind: 'edit', path: `${folder}/${path}`, old: 'is nowhere', new: 'is somewhere' }),
    alone(failing),
    alone(checked),
    alone(bash(`cat '${absent}'`)),
    alone(bash('true')),
    alone({ kind: 'grep', pattern: 'changed', path: `${folder}/src` }),
    alone(bash("printf 'no break at the end'")),
  ]
}

/** Two calls in a turn, so that some of them run at the same time. */
const callsPerTurn = 2

function turnsIn(folder: string): readonly ModelTurn[] {
  const operations = steps.flatMap((step) =>
    fileShapes.map((shape) => step(`${folder}/${shape.path}`, shape)),
  )
  const turns: ModelTurn[] = []
  for (let at = 0; at < operations.length; at += callsPerTurn) {
    const own = operations.slice(at, at + callsPerTurn)
    turns.push(
      at % 6 === 0
        ? { reasoning: `Step ${at} of the plan.`, operations: own }
        : { operations: own },
    )
  }
  return turns
}

function scenarioIn(folder: string): Scenario {
  return {
    aux: 'Files',
    last: 'There is nothing left to do.',
    turns: [...turnsIn(folder), ...otherTurns(folder), { text: closing }],
  }
}

/** How many answers the model gives. */
export const differentialTurns: number = scenarioIn('').turns.length

export const differentialStory: Story = {
  prompt: 'Read every file, change one line of each, and read all of them again.',
  project: (folder) => [
    ...fileShapes.map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
  ],
  scenario: scenarioIn,
}
