import type { ModelTurn, Operation, Scenario } from '../../model/scenario.ts'
import type { PlannedFile } from '../plan.ts'
import type { Story } from './gateway-session.ts'

const fileNames = ['parser', 'printer', 'walker', 'table', 'report'] as const
const lineCount = 90

function firstText(name: string): string {
  const lines = Array.from(
    { length: lineCount },
    (_, n) => `export const ${name}${n} = '${name} “${n}” of many'`,
  )
  return `${lines.join('\n')}\n`
}

/** A project of five files that are read, changed and read again. */
function longProject(folder: string): readonly PlannedFile[] {
  return [
    { path: `${folder}/package.json`, text: '{ "type": "module", "private": true }\n' },
    ...fileNames.map((name) => ({ path: `${folder}/src/${name}.js`, text: firstText(name) })),
  ]
}

const longPrompt = 'Give every tenth constant a new value, file by file, and check each.'
export const longClosing = 'All constants have their new values.'
/** Steps with tools, and the closing answer. */
export const longTurns = 50

interface Edit {
  readonly file: string
  readonly old: string
  readonly new: string
}

function editAt(turn: number): Edit {
  const name = fileNames[Math.floor(turn / 5) % fileNames.length] as string
  const n = (turn * 7) % lineCount
  const old = `export const ${name}${n} = '${name} “${n}” of many'`
  return { file: `src/${name}.js`, old, new: `export const ${name}${n} = 'changed at ${turn}'` }
}

/** Turns that every client can walk, whatever its tools are called. */
function scenarioOf(count: number, folder: string): Scenario {
  const turns = Array.from({ length: count - 1 }, (_, turn): ModelTurn => {
    const operations = [operationAt(turn, folder)]
    return turn % 3 === 0 ? { reasoning: `Step ${turn} of the plan.`, operations } : { operations }
  })
  return {
    aux: 'New values',
    last: 'There is nothing left to do.',
    turns: [...turns, { text: longClosing }],
  }
}

function operationAt(turn: number, folder: string): Operation {
  const { file, old, new: changed } = editAt(turn)
  const path = `${folder}/${file}`
  switch (turn % 5) {
    case 1:
      return { kind: 'edit', path, old, new: changed }
    case 2:
      return { kind: 'bash', command: `seq -f "checked ${file} case %g: fine" 1 400` }
    case 4:
      return { kind: 'grep', pattern: 'changed at', path: folder }
    default:
      return { kind: 'read', path }
  }
}

export const longStory: Story = storyOf(longTurns)

/** The story with another number of turns. */
export function storyOf(turns: number): Story {
  return {
    prompt: longPrompt,
    project: longProject,
    scenario: (folder) => scenarioOf(turns, folder),
  }
}

/** What the files say when every edit has really been made. */
export function longResult(folder: string, turns: number = longTurns): ReadonlyMap<string, string> {
  const texts = new Map(longProject(folder).map(({ path, text }) => [path, text]))
  for (let turn = 1; turn < turns - 1; turn += 5) {
    const { file, old, new: changed } = editAt(turn)
    const path = `${folder}/${file}`
    texts.set(path, (texts.get(path) ?? '').replace(old, changed))
  }
  return texts
}
