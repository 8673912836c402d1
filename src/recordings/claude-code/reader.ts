import { isJsonObject, type JsonObject, objectOf } from '../../core/words/json.ts'
import { textOf } from '../json-fields.ts'
import { ObjectBuilder } from '../object-builder.ts'
import type { Recording, RecordingReader } from '../recording.ts'
import { ClaudeCodeSession } from './session.ts'

const messageTypes: ReadonlySet<unknown> = new Set(['user', 'assistant'])

const otherTypes: ReadonlySet<unknown> = new Set([
  'attachment',
  'custom-title',
  'file-history-snapshot',
  'last-prompt',
  'pr-link',
  'progress',
  'queue-operation',
  'summary',
  'system',
])

/** Claude Code's transcripts: JSON Lines with one content block per line. A sub-agent's file is its own session. */
export const claudeCodeReader: RecordingReader = {
  format: 'claude-code',
  recognises(value) {
    if (!isJsonObject(value)) return false
    const session = textOf(value.sessionId) ?? textOf(value.session_id)
    if (messageTypes.has(value.type))
      return isJsonObject(value.message) && (session ?? textOf(value.uuid)) !== undefined
    if (!otherTypes.has(value.type)) return false
    return (
      session !== undefined ||
      textOf(value.leafUuid) !== undefined ||
      (value.type === 'file-history-snapshot' && isJsonObject(value.snapshot))
    )
  },
  open: (problem) => new ClaudeCodeBuilder(problem),
}

/**
 * Sorts the lines of a file into sessions. A resumed session mixes its old and new id, so a new id alone does not start
 * a session: only a prompt without a parent does.
 */
class ClaudeCodeBuilder extends ObjectBuilder {
  readonly #sessions: ClaudeCodeSession[] = []
  readonly #byId = new Map<string, ClaudeCodeSession>()
  /** Sessions of sub-agents by agent id, used if the file has no main conversation; null once it has one. */
  #agents: Map<string, ClaudeCodeSession> | null = new Map()
  #subagentRecords = 0

  protected addObject(value: JsonObject, line: number): void {
    const message =
      value.type === 'user' || value.type === 'assistant' || value.type === 'attachment'
    if (message && !isJsonObject(value.message) && !isJsonObject(value.attachment)) {
      this.problem({ line, message: `this ${value.type} line has no message` })
      return
    }
    if (value.type === 'progress') {
      if (objectOf(value.data).type === 'agent_progress') this.#subagentRecords += 1
    } else if (value.isSidechain === true || textOf(value.parent_tool_use_id)) {
      this.#addSidechain(value, line)
    } else {
      if (message) this.#agents = null
      this.#sessionOf(value, message).add(value, line)
    }
  }

  end(): readonly Recording[] {
    const agents = [...(this.#agents?.values() ?? [])]
    if (agents.length > 0) return agents.map((agent) => agent.end(0))
    if (this.#sessions.length === 0) this.#open(null, null)
    return this.#sessions.map((session, index) =>
      session.end(index === 0 ? this.#subagentRecords : 0),
    )
  }

  #addSidechain(value: JsonObject, line: number): void {
    if (value.type === 'user' || value.type === 'assistant') this.#subagentRecords += 1
    if (!this.#agents) return
    const agent = textOf(value.agentId) ?? ''
    const parent = textOf(value.sessionId) ?? textOf(value.session_id) ?? null
    let session = this.#agents.get(agent)
    if (!session) {
      session = new ClaudeCodeSession(agent || parent, agent ? parent : null, this.problem)
      this.#agents.set(agent, session)
    }
    session.add(value, line)
  }

  #sessionOf(value: JsonObject, message: boolean): ClaudeCodeSession {
    const id = textOf(value.sessionId) ?? textOf(value.session_id)
    const latest = this.#sessions[this.#sessions.length - 1]
    if (id === undefined) return latest ?? this.#open(null, null)
    const known = this.#byId.get(id)
    if (known) return known
    const starts = message && value.parentUuid === null && latest?.hasMessages
    const session = latest && !starts ? latest : this.#open(id, null)
    this.#byId.set(id, session)
    return session
  }

  #open(id: string | null, parent: string | null): ClaudeCodeSession {
    const session = new ClaudeCodeSession(id, parent, this.problem)
    this.#sessions.push(session)
    return session
  }
}
