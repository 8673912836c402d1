import {
  acceptedContent,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { PalimpsestError } from '../core/words/errors.ts'
import { shellWord } from '../core/words/shell-word.ts'
import type { Removal } from '../memory/operations/operation.ts'
import { noteInAudit } from '../store/audit-log.ts'
import { type Caller, canAskPerson } from './caller.ts'
import type { McpParts } from './parts.ts'

/** `agreed`, or the question that the client must ask first. */
export type Consent = 'agreed' | InputRequiredResult

interface Asking {
  readonly server: McpServer
  readonly ctx: ServerContext
  readonly caller: Caller
  readonly parts: McpParts
}

const schema = z.object({ confirm: z.boolean().describe('Yes, for good') })

/**
 * Makes the client ask a person. The answer is written to the audit log.
 *
 * @throws PalimpsestError with code `usage` when nobody agrees; it names the command that a person can run.
 */
export function consentTo(removal: Removal, { server, ctx, caller, parts }: Asking): Consent {
  const { inputResponses } = ctx.mcpReq
  const isAnswered = inputResponse(inputResponses, 'confirm').kind === 'elicit'
  if (!isAnswered && canAskPerson(server, ctx))
    return inputRequired({
      inputRequests: {
        confirm: inputRequired.elicit({
          message: removal.detailedQuestion,
          requestedSchema: schema,
        }),
      },
      // Later rounds of the same call do not include the roots.
      requestState: caller.folder ?? '',
    })
  const agreed = acceptedContent(inputResponses, 'confirm', schema)?.confirm === true
  noteInAudit(parts.home, {
    at: new Date(parts.now()).toISOString(),
    action: removal.action,
    door: 'mcp',
    consent: agreed ? 'asked' : 'refused',
    ids: removal.ids,
  })
  if (agreed) return 'agreed'
  const command = ['palimpsest', ...removal.command, ...parts.storeArguments]
    .map((word) => shellWord(word.replace(/\p{Cc}/gu, ' ')))
    .join(' ')
  throw new PalimpsestError(
    'usage',
    `Nothing was changed: a person has to agree to this. Ask the user to run: ${command}`,
  )
}
