import { isJsonObject, objectOf } from '../core/words/json.ts'
import type { AnswerUsage } from '../formats/usage.ts'
import type { Decided } from '../gateway/decided.ts'
import { type PruneOptions, readOptions } from '../sdk/prune-options.ts'
import { createPruner, type OpenPruner, type Pruner } from '../sdk/pruner.ts'
import { pruned, restoreTool } from '../sdk/restore-tool.ts'
import { type PayloadBody, payloadBody } from './payload.ts'

/** What Pi gives to an extension, as far as it is used here. */
export interface PiHost {
  on(event: string, handler: (event: unknown, context: PiContext) => unknown): unknown
  registerTool(tool: PiTool): void
}

export interface PiContext {
  readonly cwd: string
  readonly model?: { readonly id: string; readonly api: string } | undefined
  readonly sessionManager: { getSessionId(): string }
}

export interface PiTool {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly parameters: object
  execute(
    id: string,
    input: unknown,
  ): Promise<{ content: { type: 'text'; text: string }[]; details: undefined }>
}

/** The extension with options. They win over `palimpsest.jsonc`, which holds for the rest. */
export function piExtension(options: PruneOptions = {}): (pi: PiHost) => void {
  return (pi) => {
    const pruner = createPruner(readOptions('piExtension', options))
    let awaited: AwaitedAnswer | null = null

    function answered(usage: AnswerUsage | null, error: string | null): void {
      if (awaited === null) return
      const { open, ...about } = awaited
      awaited = null
      const answer = { status: error === null ? 200 : null, usage, error }
      open.answered({ ...about, answered: answer, client: { agent: 'pi', billing: null } })
    }

    pi.on('before_provider_request', async (event, context) => {
      // An error must not reach Pi: undefined leaves the request as it is.
      try {
        // A request without an answer, such as a compaction that was stopped.
        answered(null, 'no answer')
        const decided = await decidePayload(pruner, objectOf(event).payload, context)
        if (decided === null) return undefined
        awaited = decided.awaited
        return decided.payload
      } catch (error) {
        pruner.setup.onError(error)
        return undefined
      }
    })

    pi.on('message_end', (event) => {
      const { message } = objectOf(event)
      if (!isJsonObject(message) || message.role !== 'assistant') return undefined
      const reason = message.stopReason
      const isWhole = reason !== 'error' && reason !== 'aborted'
      answered(isWhole ? usageOf(message.usage) : null, isWhole ? null : String(reason))
      return undefined
    })

    pi.on('session_shutdown', async () => {
      answered(null, 'no answer')
      await pruner.close()
    })

    pi.registerTool(piRestoreTool(pruner))
  }
}

/** A request whose answer is awaited. */
interface AwaitedAnswer {
  readonly open: OpenPruner
  readonly decided: Decided
  readonly format: PayloadBody['format']
  readonly model: string
  readonly at: number
}

/** The payload to send, undefined when it is not changed; null for a request that is not understood. */
async function decidePayload(
  pruner: Pruner,
  payload: unknown,
  { cwd, model, sessionManager }: PiContext,
): Promise<{ readonly payload: unknown; readonly awaited: AwaitedAnswer } | null> {
  const request = payloadBody(model?.api, payload)
  if (request === null || model === undefined) return null
  const { format, body } = request
  const at = Date.now()
  const open = await pruner.open()
  const decided = await open.decide({
    route: { format, purpose: 'answer', model: model.id },
    upstream: 'pi',
    identity: {
      session: pruner.setup.session ?? sessionManager.getSessionId(),
      parent: null,
      credential: `pi ${cwd}`,
    },
    body,
    isLocal: false,
  })
  return {
    payload: decided.body === body ? undefined : request.withBody(String(decided.body)),
    awaited: { open, decided, format, model: model.id, at },
  }
}

function piRestoreTool(pruner: Pruner): PiTool {
  const { name, description, run, anthropic } = restoreTool({ [pruned]: pruner })
  return {
    name,
    label: 'Restore',
    description,
    parameters: anthropic.input_schema,
    execute: async (_, input) => ({
      content: [{ type: 'text', text: await run(input) }],
      details: undefined,
    }),
  }
}

/** Pi counts cached tokens apart from `input`. */
function usageOf(usage: unknown): AnswerUsage | null {
  const { input, output, cacheRead, cacheWrite } = objectOf(usage)
  if (typeof input !== 'number' || input < 0) return null
  const count = (value: unknown): number => (typeof value === 'number' ? value : 0)
  const read = count(cacheRead)
  const written = count(cacheWrite)
  const total = input + read + written
  if (total === 0) return null
  return { input: total, output: count(output), cacheRead: read, cacheWrite: written }
}
