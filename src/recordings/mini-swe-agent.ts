import type { ItemDraft, ResultStatus } from '../core/words/item.ts'
import { isJsonObject, type JsonObject, objectOf } from '../core/words/json.ts'
import { Conversation } from './conversation.ts'
import { contentText, identityOf, textOf, timeOfSeconds } from './json-fields.ts'
import { type MiniCall, readContent, readTurn, readUsage } from './mini-swe-agent-turn.ts'
import type { Recording, RecordingReader } from './recording.ts'

/** mini-swe-agent's `.traj.json`, with commands in fenced text (version 1) or as tool calls (1.1). */
export const miniSweAgentReader: RecordingReader = {
  format: 'mini-swe-agent',

  recognises(value) {
    if (!isJsonObject(value) || !Array.isArray(value.messages)) return false
    if (typeof value.trajectory_format === 'string') {
      return value.trajectory_format.startsWith('mini-swe-agent')
    }
    return textOf(objectOf(value.info).mini_version) !== undefined
  },

  open(problem) {
    const recordings: Recording[] = []
    return {
      add(value, line) {
        if (!isJsonObject(value) || !Array.isArray(value.messages)) {
          problem({ line, message: 'not a mini-swe-agent trajectory: it has no messages' })
          return
        }
        const reader = new TrajectoryReader()
        for (const [index, message] of value.messages.entries()) {
          if (isJsonObject(message)) reader.add(message)
          else problem({ line, message: `message ${index} is not an object` })
        }
        recordings.push(reader.end(value))
      },
      end: () => recordings,
    }
  },
}

class TrajectoryReader {
  readonly #conversation = new Conversation()
  #messages = 0
  #open: MiniCall[] = []
  #isRefused = false

  add(message: JsonObject): void {
    this.#messages += 1
    const role = textOf(message.role)
    if (role === 'assistant' || (role === undefined && Array.isArray(message.output))) {
      this.#addTurn(message)
    } else if (role === 'system' || role === 'developer') {
      this.#conversation.message({
        role,
        items: readContent(message.content),
        at: timeOfMessage(message),
      })
    } else {
      this.#addReply(message)
    }
  }

  end(value: JsonObject): Recording {
    const info = objectOf(value.info)
    const config = objectOf(info.config)
    const environment = objectOf(config.environment)
    const { events, model } = this.#conversation.end()
    return {
      format: 'mini-swe-agent',
      session: identityOf(value.instance_id) ?? null,
      parent: null,
      model: model ?? textOf(objectOf(config.model).model_name) ?? null,
      cwd: textOf(environment.cwd) ?? null,
      events,
      messages: this.#messages,
      subagentRecords: 0,
    }
  }

  #addTurn(message: JsonObject): void {
    const response = objectOf(objectOf(message.extra).response ?? message)
    const turn = readTurn(message, this.#conversation.calls)
    this.#open = [...turn.calls]
    this.#isRefused = turn.isRefused
    this.#conversation.message({
      role: 'assistant',
      items: turn.items,
      id: textOf(response.id),
      at: timeOfMessage(message) ?? timeOfSeconds(response.created ?? response.created_at),
      model: textOf(response.model),
      usage: readUsage(response),
    })
  }

  #addReply(message: JsonObject): void {
    const at = timeOfMessage(message)
    const text = contentText(message.content ?? message.output)
    const refused = this.#isRefused || objectOf(message.extra).interrupt_type === 'FormatError'
    const answered = refused ? this.#open.splice(0) : this.#answered(message)
    if (answered.length === 0) {
      const isExit = message.role === 'exit'
      const items: readonly ItemDraft[] = isExit
        ? [{ kind: 'marker', marker: 'exit', text: '' }]
        : readContent(message.content)
      this.#conversation.message({ role: 'user', items, at })
      return
    }
    const status: ResultStatus = refused ? 'error' : 'ok'
    this.#isRefused = false
    this.#conversation.message({
      role: 'tool',
      items: answered.map(({ call, tool }, index) => {
        return { kind: 'result', tool, call, status, text: index === 0 ? text : '' }
      }),
      at,
    })
  }

  /** The call that this message answers: by id, or the oldest open call if the message has no id. */
  #answered(message: JsonObject): readonly MiniCall[] {
    const recorded = textOf(message.tool_call_id) ?? textOf(message.call_id)
    const index =
      recorded === undefined ? 0 : this.#open.findIndex((call) => call.recorded === recorded)
    return index === -1 ? [] : this.#open.splice(index, 1)
  }
}

function timeOfMessage(message: JsonObject): number | undefined {
  return timeOfSeconds(objectOf(message.extra).timestamp)
}
