/** The requests of an invented session, as Anthropic's clients send them. */
export interface InventedSession {
  /** The body of the request with this many messages. */
  body(messages: number): Buffer
}

export interface InventedOptions {
  readonly name: string
  /** Of a body with `messages` messages. */
  readonly bytes: number
  readonly messages: number
}

const system = 'You are a coding agent. Your working directory: /project\n'.repeat(60)
const tools = ['Read', 'Edit', 'Bash', 'Grep'].map((name) => ({
  name,
  description: `${name} as every agent has it. `.repeat(20),
  input_schema: { type: 'object', properties: { file_path: { type: 'string' } } },
}))

/** Reads, edits and commands over twenty files. Result sizes are chosen to reach the wanted total. */
export function inventedSession(options: InventedOptions): InventedSession {
  const { name, bytes, messages } = options
  const resultBytes = Math.floor((bytes - system.length - 4_000) / (messages / 2)) - 260
  return {
    body(count) {
      const said: object[] = [{ role: 'user', content: `Bring ${name} up to date.` }]
      for (let turn = 0; said.length < count; turn++) {
        const id = `toolu_${name}_${turn}`
        const { tool, input } = callAt(turn)
        said.push({
          role: 'assistant',
          content: [
            { type: 'text', text: `Step ${turn}.` },
            { type: 'tool_use', id, name: tool, input },
          ],
        })
        const content = resultAt(turn, name, resultBytes)
        said.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] })
      }
      const body = { model: 'claude-sonnet-4-5', max_tokens: 1000, stream: true, system, tools }
      return Buffer.from(JSON.stringify({ ...body, messages: said }))
    },
  }
}

function callAt(turn: number): { readonly tool: string; readonly input: object } {
  const path = `/project/src/file-${turn % 20}.ts`
  switch (turn % 4) {
    case 1:
      return { tool: 'Bash', input: { command: `node check.js ${turn}` } }
    case 2:
      return { tool: 'Edit', input: { file_path: path, old_string: `a${turn}`, new_string: 'b' } }
    default:
      return { tool: 'Read', input: { file_path: path } }
  }
}

function resultAt(turn: number, name: string, bytes: number): string {
  if (turn % 4 === 2) return 'The file has been updated.'
  const lines: string[] = []
  // Edits have short results, so the other results are longer.
  for (let length = 0, n = 1; length < (bytes * 4) / 3; n++) {
    // No two sessions share a text.
    const line = `${n}\tconst value${n * 7 + turn} = compute(${n}, '${name} ${turn}')`
    lines.push(line)
    length += line.length + 2
  }
  return lines.join('\n')
}
