import { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { restoreInstruction } from '../agent/tool-definitions.ts'
import { accessTo } from '../gateway/access-table.ts'
import { contextText, nothingRemembered } from '../memory/operations/read.ts'
import { askForRoots, callerOf } from './caller.ts'
import { registerContextTools } from './context-tools.ts'
import { registerMemoryTools } from './memory-tools.ts'
import { registerObserveTool } from './observe-tool.ts'
import type { McpParts } from './parts.ts'
import { reachOf } from './register-tool.ts'

export const contextUri = 'palimpsest://memory/context'

const instructions =
  'Palimpsest remembers facts, preferences and decisions across sessions, and keeps the originals of what was left out ' +
  `of a context. ${restoreInstruction} ` +
  'When the user states a lasting preference, fact or decision, or corrects one, call memory_add.'

const firstWordOnly =
  '\n(If the task is longer, all of it stands with the command that was given; only this word was passed on.)'

/** One server for one connection: tools, the current memory as a resource, and a prompt that starts from it. */
export function createMcpServer(parts: McpParts): McpServer {
  const server = new McpServer({ name: 'palimpsest', version: parts.version }, { instructions })
  registerMemoryTools(server, parts)
  registerObserveTool(server, parts)
  registerContextTools(server, parts)
  server.registerResource(
    'memory-context',
    accessTo('MCP', contextUri).name,
    {
      title: 'Current memory',
      description: 'The facts, preferences and decisions that hold now, as a model is told them',
      mimeType: 'text/plain',
    },
    async (uri, ctx) => {
      const caller = callerOf(ctx, parts.caller)
      const asked = askForRoots(ctx, caller)
      if (asked !== null) return asked
      const text = await reachOf(caller, parts).useMemory((placed) => contextText({}, placed))
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] }
    },
  )
  server.registerPrompt(
    accessTo('MCP', 'with_memory').name,
    {
      title: 'Start a task with what is remembered',
      description:
        'A task, after the remembered facts, preferences and decisions that matter for it',
      argsSchema: z.object({ task: z.string().describe('what is to be done') }),
    },
    async ({ task }, ctx) => {
      const caller = callerOf(ctx, parts.caller)
      const asked = askForRoots(ctx, caller)
      if (asked !== null) return asked
      // OpenCode fills in the task later; Claude Code passes only its first word.
      const isFilledIn = /^\$(?:\d+|ARGUMENTS)$/.test(task.trim())
      const isOneWord = !/\s/.test(task.trim())
      const query = isOneWord ? undefined : task
      const remembered =
        (await reachOf(caller, parts).useMemory((placed) => contextText({ query }, placed))) ||
        nothingRemembered
      const rest = isOneWord && !isFilledIn ? firstWordOnly : ''
      const text = `What is remembered from earlier sessions:\n\n${remembered}\n\nTask: ${task}${rest}`
      return { messages: [{ role: 'user', content: { type: 'text', text } }] }
    },
  )
  return server
}
