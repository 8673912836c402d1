import type { Recording, RecordingEvent } from '../../../src/recordings/recording.ts'
import { createRandom } from '../quantile.ts'
import {
  type Choices,
  createChoices,
  type InventedFile,
  inventedFile,
  inventedLine,
  numbered,
} from './invented-repository.ts'

/** A need that was planted in a session. */
export interface PlantedNeed {
  readonly class: 'E1' | 'E2'
  readonly n: number
  /** The identifier, or the first line of the anchor. */
  readonly text: string
}

export interface PlantedSession {
  readonly recording: Recording
  readonly needs: readonly PlantedNeed[]
}

export interface PlantedOptions {
  readonly seed: number
  readonly steps: number
}

interface Step {
  readonly tool: string
  readonly input: object
  readonly result: string
  readonly status?: 'ok' | 'error'
}

const start = Date.parse('2026-01-05T10:00:00.000Z')
const second = 1_000

/** A generated session in which it is known what each action copied, and from where. */
export function plantSession({ seed, steps }: PlantedOptions): PlantedSession {
  const choices = createChoices(createRandom(seed))
  const files = Array.from({ length: 6 }, () => inventedFile(choices))
  const hidden = inventedFile(choices)
  const events: RecordingEvent[] = []
  const needs: PlantedNeed[] = []
  const world: World = { choices, files, hidden, seen: new Set(), unusedIdentifiers: [] }
  let at = start
  let n = 1
  const say = (role: 'user' | 'assistant', text: string): void => {
    events.push({ kind: 'message', message: { role, at, items: [{ kind: 'text', text }] } })
  }
  const paths = [...files, hidden].map(({ path }) => path)
  say('user', `Make the checks pass. The files are ${paths.join(', ')}.`)
  for (let step = 0; step < steps; step++) {
    at += (choices.below(30) === 0 ? 400 + choices.below(4_000) : 5 + choices.below(40)) * second
    const taken = takeStep(world)
    needs.push(...taken.needs.map((need) => ({ ...need, n })))
    const { tool, input, result, status = 'ok' } = taken.step
    const call = `call_${step}`
    const said = choices.below(3) === 0 ? [{ kind: 'text', text: 'Next.' } as const] : []
    const item = { kind: 'call', tool, call, text: JSON.stringify(input) } as const
    events.push({ kind: 'message', message: { role: 'assistant', at, items: [...said, item] } })
    at += second
    const items = [{ kind: 'result', tool, call, status, text: result } as const]
    events.push({ kind: 'message', message: { role: 'tool', at, items } })
    n++
  }
  say('assistant', 'The checks pass.')
  return {
    needs,
    recording: {
      format: 'claude-code',
      session: `planted-${seed}`,
      parent: null,
      model: null,
      cwd: '/repo',
      events,
      messages: events.length,
      subagentRecords: 0,
    },
  }
}

interface World {
  readonly choices: Choices
  readonly files: readonly InventedFile[]
  /** Never read. */
  readonly hidden: InventedFile
  /** Read whole at least once: all of it stands in the session, edits included. */
  readonly seen: Set<InventedFile>
  /** Identifiers that a result contained and that were not used yet. */
  readonly unusedIdentifiers: string[]
}

interface Taken {
  readonly step: Step
  readonly needs: readonly Omit<PlantedNeed, 'n'>[]
}

function takeStep(world: World): Taken {
  const { choices, seen, unusedIdentifiers } = world
  switch (choices.below(9)) {
    case 0:
    case 1:
      return readFile(world)
    case 2:
    case 3:
    case 4:
      return seen.size === 0 ? readFile(world) : editSeen(world)
    case 5:
      return editUnknown(world)
    case 6:
      return unusedIdentifiers.length === 0 ? runChecks(world) : useIdentifier(world)
    case 7:
      return listTasks(world)
    default:
      return runChecks(world)
  }
}

function readFile({ choices, files, seen }: World): Taken {
  const file = choices.pick(files)
  seen.add(file)
  const step = { tool: 'Read', input: { file_path: file.path }, result: numbered(file.lines) }
  return { step, needs: [] }
}

/** Replaces lines, or a part of one line, that were read or written before. */
function editSeen({ choices, seen }: World): Taken {
  const file = choices.pick([...seen])
  const codeLines = file.lines.flatMap((line, index) => (line.length > 24 ? [index] : []))
  const first = choices.pick(codeLines)
  const isPart = choices.below(4) === 0
  const size = isPart ? 1 : 1 + choices.below(4)
  const removed = file.lines.slice(first, first + size)
  const oldText = isPart ? (removed[0] ?? '').slice(3) : removed.join('\n')
  const added = Array.from({ length: 1 + choices.below(3) }, () => inventedLine(choices))
  const newText = isPart ? (added[0] ?? '').slice(3) : added.join('\n')
  file.lines = isPart
    ? file.lines.with(first, `${(removed[0] ?? '').slice(0, 3)}${newText}`)
    : file.lines.toSpliced(first, size, ...added)
  const input = { file_path: file.path, old_string: oldText, new_string: newText }
  const text = (oldText.split('\n')[0] ?? '').trim()
  return {
    step: { tool: 'Edit', input, result: `The file ${file.path} has been updated.` },
    needs: [{ class: 'E1', text }],
  }
}

/** Edits that copied nothing: of a file that was never shown, failed, or too short to match. */
function editUnknown({ choices, hidden, files }: World): Taken {
  const { path } = choices.pick(files)
  const kind = choices.pick(['hidden', 'failed', 'short'] as const)
  const newText = inventedLine(choices)
  // Each of its lines once: the call that names a line shows it to those that follow.
  const unknown = hidden.lines.findLastIndex((line) => line.length > 24)
  const [line = ''] = kind === 'short' ? ['}'] : hidden.lines.splice(unknown, 1)
  const input = {
    file_path: kind === 'hidden' ? hidden.path : path,
    old_string: line,
    new_string: newText,
  }
  const failed = kind === 'failed'
  const result = failed ? 'String to replace not found in file.' : `${path} has been updated.`
  return { step: { tool: 'Edit', input, result, status: failed ? 'error' : 'ok' }, needs: [] }
}

function runChecks({ choices, unusedIdentifiers }: World): Taken {
  const identifier = `run-${choices.word()}-${100_000 + choices.below(900_000)}`
  unusedIdentifiers.push(identifier)
  const lines = Array.from(
    { length: 10 + choices.below(150) },
    () => `passed ${choices.word()} in ${choices.below(90)} ms`,
  )
  lines.push(`report kept as ${identifier}`)
  const step = { tool: 'Bash', input: { command: 'npm test' }, result: lines.join('\n') }
  return { step, needs: [] }
}

function useIdentifier({ choices, unusedIdentifiers }: World): Taken {
  const index = choices.below(unusedIdentifiers.length)
  const [identifier = ''] = unusedIdentifiers.splice(index, 1)
  const input = { command: `show ${identifier}` }
  return {
    step: { tool: 'Bash', input, result: 'nothing to see' },
    needs: [{ class: 'E2', text: identifier }],
  }
}

function listTasks({ choices }: World): Taken {
  const todos = Array.from({ length: 3 }, (_, index) => ({
    content: `look at ${choices.word()}`,
    status: index === 0 ? 'in_progress' : 'pending',
    activeForm: 'looking',
  }))
  return {
    step: { tool: 'TodoWrite', input: { todos }, result: 'Todos were modified.' },
    needs: [],
  }
}
