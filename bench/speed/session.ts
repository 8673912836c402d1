export const sessionId = 'ses_speed'

const linesOfFile = 60
const linesOfPart = 20
const filesOfSession = 12
const callsOfPrompt = 25

/** A session of OpenCode that reads, edits and searches a few files over and over. The same in every run. */
export interface GrowingSession {
  /** Adds this many tool calls. */
  grow(calls: number): void
  /** The messages as JSON, as the database returns them. */
  json(): string
  readonly items: number
}

export function createGrowingSession(): GrowingSession {
  const files = Array.from({ length: filesOfSession }, (_, file) =>
    Array.from({ length: linesOfFile }, (_, line) => sourceLine(file, line, 0)),
  )
  const messages: string[] = []
  let calls = 0
  let items = 0

  const add = (info: object, parts: readonly object[]): void => {
    const id = `msg_${String(messages.length).padStart(8, '0')}`
    const owned = parts.map((part, index) => ({
      id: `prt_${id.slice(4)}_${index}`,
      sessionID: sessionId,
      messageID: id,
      ...part,
    }))
    messages.push(JSON.stringify({ info: { id, sessionID: sessionId, ...info }, parts: owned }))
  }
  const prompt = (): void => {
    const model = { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' }
    const text = `Please go on with part ${calls / callsOfPrompt + 1} of the plan.`
    add({ role: 'user', time: { created: calls }, agent: 'build', model }, [{ type: 'text', text }])
    items++
  }
  const step = (): void => {
    if (calls % callsOfPrompt === 0) prompt()
    const call = toolCall(calls, files)
    const time = { start: calls, end: calls + 1 }
    const state = { status: 'completed', title: call.tool, metadata: {}, time, ...call.state }
    add(assistantInfo(calls), [
      { type: 'step-start' },
      { type: 'text', text: `Next is step ${calls}.` },
      { type: 'tool', tool: call.tool, callID: `call_${calls}`, state },
      { type: 'step-finish', reason: 'tool-calls', cost: 0, tokens: noTokens },
    ])
    calls++
    items += 5
  }
  return {
    grow(count) {
      for (let made = 0; made < count; made++) step()
    },
    json: () => `[${messages.join(',')}]`,
    get items(): number {
      return items
    },
  }
}

const noTokens = { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } }

function assistantInfo(ordinal: number): object {
  return {
    role: 'assistant',
    parentID: 'msg_00000000',
    mode: 'build',
    agent: 'build',
    path: { cwd: '/project', root: '/project' },
    cost: 0,
    tokens: noTokens,
    modelID: 'claude-sonnet-4-5',
    providerID: 'anthropic',
    time: { created: ordinal, completed: ordinal + 1 },
    finish: 'tool-calls',
  }
}

interface ToolCall {
  readonly tool: string
  readonly state: { readonly input: object; readonly output: string }
}

function toolCall(ordinal: number, files: readonly string[][]): ToolCall {
  const file = (ordinal >> 2) % filesOfSession
  const lines = files[file] as string[]
  const filePath = `/project/src/file${file}.ts`
  const at = (ordinal * 7) % linesOfFile
  switch (ordinal % 4) {
    case 0:
      return {
        tool: 'read',
        state: { input: { filePath }, output: shown(filePath, lines, 0, linesOfFile) },
      }
    case 1: {
      const oldString = lines[at] as string
      const newString = sourceLine(file, at, ordinal)
      lines[at] = newString
      const input = { filePath, oldString, newString }
      return { tool: 'edit', state: { input, output: 'Edit applied successfully.' } }
    }
    case 2: {
      const command = 'git status --short'
      const output = ` M src/file${file}.ts\n`.repeat(20)
      return { tool: 'bash', state: { input: { command, description: 'status' }, output } }
    }
    default: {
      const input = { filePath, offset: at + 1, limit: linesOfPart }
      return { tool: 'read', state: { input, output: shown(filePath, lines, at, linesOfPart) } }
    }
  }
}

const sourceLine = (file: number, line: number, version: number): string =>
  `  const value${file}_${line} = compute(${version}, 'line ${line} of a file that many turns read')`

/** The lines of a file as OpenCode prints them. */
function shown(filePath: string, lines: readonly string[], before: number, most: number): string {
  const part = lines.slice(before, before + most)
  const numbered = part.map((line, index) => `${before + index + 1}: ${line}`)
  const end = before + part.length
  const footer =
    end === lines.length
      ? `(End of file - total ${end} lines)`
      : `(Showing lines ${before + 1}-${end} of ${lines.length}. Use offset=${end + 1} to continue.)`
  const head = `<path>${filePath}</path>\n<type>file</type>\n<content>`
  return `${head}\n${numbered.join('\n')}\n\n${footer}\n</content>`
}
