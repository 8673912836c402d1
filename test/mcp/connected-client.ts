import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { bundledCommand } from '../bundled-program.ts'

export interface ToolAnswer {
  readonly text: string
  readonly isError: boolean
}

/** `palimpsest mcp` as a process of its own, and the client that talks to it. */
export interface ConnectedClient {
  readonly client: Client
  readonly pid: number
  /** All that it wrote to standard error. */
  readonly errors: string
  /** What the person was asked. */
  readonly questions: readonly string[]
  call(name: string, input?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>
  /** The value that a tool answered with. */
  value(name: string, input?: Readonly<Record<string, unknown>>): Promise<unknown>
  close(): Promise<void>
}

export interface ConnectOptions {
  readonly home: string
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Where it is started; the user's folder when left out. */
  readonly cwd?: string
  /** A person who answers questions so; left out, the client cannot ask anybody. */
  readonly elicitation?: { readonly confirm: boolean }
  /** Left out, the client opens as those of 2025 do. */
  readonly protocol?: '2026-07-28'
}

export async function connectClient(options: ConnectOptions): Promise<ConnectedClient> {
  const { home, args = [], environment = {}, protocol, elicitation, cwd = home } = options
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await bundledCommand(), 'mcp', ...args],
    env: { ...(process.env as Record<string, string>), PALIMPSEST_HOME: home, ...environment },
    cwd,
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (text: Buffer) => {
    errors += text.toString()
  })
  const client = new Client(
    { name: 'test', version: '1' },
    {
      ...(protocol === undefined ? {} : { versionNegotiation: { mode: { pin: protocol } } }),
      ...(elicitation === undefined ? {} : { capabilities: { elicitation: { form: {} } } }),
    },
  )
  const questions: string[] = []
  if (elicitation !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params.message)
      return { action: 'accept', content: { confirm: elicitation.confirm } }
    })
  await client.connect(transport)
  const call: ConnectedClient['call'] = async (name, input = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...input } })
    const [first] = content
    return { text: first?.type === 'text' ? first.text : '', isError }
  }
  return {
    client,
    pid: transport.pid ?? 0,
    get errors(): string {
      return errors
    },
    questions,
    call,
    async value(name, input) {
      const { text, isError } = await call(name, input)
      if (isError) throw new Error(text)
      return JSON.parse(text)
    },
    close: () => client.close(),
  }
}
