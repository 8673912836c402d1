import type { ItemDraft, ResultStatus } from '../core/words/item.ts'
import { arrayOf, isJsonObject, type JsonObject, objectOf, parseJson } from '../core/words/json.ts'
import { Conversation } from './conversation.ts'
import { contentText, identityOf, textOf } from './json-fields.ts'
import type { Recording, RecordingReader } from './recording.ts'
import { type NamedCall, readContent, readImage, readTurn } from './swe-agent-entry.ts'

/** SWE-agent's `.traj`: one object with the steps that ran and the history that was sent to the model. */
export const sweAgentReader: RecordingReader = {
  format: 'swe-agent',

  recognises(value) {
    if (!isJsonObject(value)) return false
    if (Array.isArray(value.attempts)) return value.attempts.some(isTrajectory)
    return isTrajectory(value)
  },

  open(problem) {
    const recordings: Recording[] = []
    return {
      add(value, line) {
        const attempts = isJsonObject(value) ? arrayOf(value.attempts).filter(isTrajectory) : []
        // The chosen attempt is repeated at the top level; without a choice only `attempts` exists.
        const trajectories = isTrajectory(value) ? [value] : attempts
        if (trajectories.length === 0) {
          problem({ line, message: 'not a SWE-agent trajectory: it has no steps' })
        }
        for (const trajectory of trajectories) recordings.push(readTrajectory(trajectory))
      },
      end: () => recordings,
    }
  },
}

function isTrajectory(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || !Array.isArray(value.trajectory)) return false
  const first: unknown = value.trajectory[0]
  if (first === undefined) return Array.isArray(value.history)
  return isJsonObject(first) && ('action' in first || 'observation' in first)
}

function readTrajectory(value: JsonObject): Recording {
  const steps = arrayOf(value.trajectory).filter(isJsonObject)
  const history = arrayOf(value.history).filter(isJsonObject)
  const reader = new TrajectoryReader(steps)
  for (const entry of history) reader.addEntry(entry)
  reader.addStepsBefore(steps.length)
  const { events, model } = reader.conversation.end()
  return {
    format: 'swe-agent',
    session: identityOf(value.instance_id) ?? null,
    parent: null,
    model: model ?? modelOf(value.replay_config),
    cwd: steps.map(workingDirectory).find((directory) => directory !== undefined) ?? null,
    events,
    messages: history.length > 0 ? history.length : reader.conversation.length,
    subagentRecords: 0,
  }
}

class TrajectoryReader {
  readonly conversation: Conversation = new Conversation()
  readonly #steps: readonly JsonObject[]
  #nextStep = 0
  /** Calls of the last turn that have no result yet, and the observation recorded in the step. */
  #open: { readonly calls: readonly NamedCall[]; readonly observation: unknown } | undefined

  constructor(steps: readonly JsonObject[]) {
    this.#steps = steps
  }

  addEntry(entry: JsonObject): void {
    const items = readContent(entry.content)
    if (entry.is_demo === true) {
      // A demonstration is part of the prompt; the model did not write its answers.
      this.conversation.message({ role: 'user', items })
    } else if (entry.role === 'assistant') {
      this.#settle()
      this.#addTurn(entry)
    } else if (this.#open !== undefined && this.#open.calls.length > 0) {
      this.#answer(contentText(entry.content), arrayOf(entry.content))
    } else {
      this.#open = undefined
      this.conversation.message({ role: entry.role === 'system' ? 'system' : 'user', items })
    }
  }

  /** Adds steps that are missing from the history: answers that SWE-agent rejected, and its own exits. */
  addStepsBefore(end: number): void {
    this.#settle()
    for (; this.#nextStep < end; this.#nextStep += 1) {
      const step = this.#steps[this.#nextStep]!
      this.#say(step, step.observation)
      this.#settle()
    }
  }

  #addTurn(entry: JsonObject): void {
    let match = this.#nextStep
    while (match < this.#steps.length && !isSameTurn(this.#steps[match]!, entry)) match += 1
    if (match === this.#steps.length) {
      this.#say(entry, undefined)
      return
    }
    this.addStepsBefore(match)
    this.#nextStep = match + 1
    this.#say(entry, this.#steps[match]!.observation)
  }

  #say(turn: JsonObject, observation: unknown): void {
    const { items, calls } = readTurn(turn, this.conversation.calls)
    this.conversation.message({ role: 'assistant', items })
    this.#open = { calls, observation }
  }

  /** Adds the observation of the step, because the history lacks the ones that no request followed. */
  #settle(): void {
    const open = this.#open
    this.#open = undefined
    if (open === undefined || typeof open.observation !== 'string') return
    if (open.calls.length > 0) {
      this.#open = open
      this.#answer(open.observation, [])
    } else if (open.observation !== '') {
      this.conversation.message({
        role: 'user',
        items: [{ kind: 'text', text: open.observation }],
      })
    }
  }

  #answer(text: string, blocks: readonly unknown[]): void {
    const [first, ...others] = this.#open?.calls ?? []
    this.#open = undefined
    if (first === undefined) return
    const status = statusOf(text)
    const items: ItemDraft[] = [{ kind: 'result', ...first, status, text }]
    for (const block of blocks) items.push(...readImage(block, first.call))
    // SWE-agent records one observation for all commands of an answer.
    for (const other of others) items.push({ kind: 'result', ...other, status, text: '' })
    this.conversation.message({ role: 'tool', items })
  }
}

function isSameTurn(step: JsonObject, entry: JsonObject): boolean {
  const action = contentText(entry.action).trim()
  if (contentText(step.action).trim() !== action) return false
  const said = contentText(entry.content).trim()
  return action !== '' || contentText(step.response ?? step.output).trim() === said
}

/** Steps have no status field; this is how SWE-agent's editor reports an edit that it did not apply. */
const rejectedEdit = /^Your proposed edit has introduced new syntax error/

function statusOf(observation: string): ResultStatus {
  return rejectedEdit.test(observation.trimStart()) ? 'error' : 'ok'
}

/** In old files `state` is a JSON string. */
function workingDirectory(step: JsonObject): string | undefined {
  const state = typeof step.state === 'string' ? parseJson(step.state) : step.state
  return textOf(objectOf(state).working_dir)
}

/** Values of SWE-agent's model setting that do not name a model. */
const notModels: ReadonlySet<string> = new Set([
  'human',
  'human_thought',
  'instant_empty_submit',
  'replay',
])

function modelOf(replayConfig: unknown): string | null {
  const config = objectOf(typeof replayConfig === 'string' ? parseJson(replayConfig) : replayConfig)
  const name = textOf(objectOf(objectOf(config.agent).model).name)
  return name === undefined || notModels.has(name) ? null : name
}
