import path from 'node:path'
import * as z from 'zod'
import { errorMessage, PalimpsestError } from '../core/words/errors.ts'
import { appendPrivateLine, readPrivateLines } from './private-json-lines.ts'

/** A call that removed or replaced something for good. It holds ids only, because the texts must not be kept. */
export interface AuditEntry {
  /** When, as an ISO date. */
  readonly at: string
  readonly action: 'memory forget' | 'memory import' | 'gc' | 'purge'
  readonly door: 'command line' | 'mcp' | 'dashboard'
  /** How a person agreed. `refused`: nobody did, and nothing was changed. */
  readonly consent: 'asked' | '--yes' | 'refused'
  /** The items or sessions. */
  readonly ids: readonly string[]
}

const schema: z.ZodType<AuditEntry> = z.object({
  at: z.string(),
  action: z.enum(['memory forget', 'memory import', 'gc', 'purge']),
  door: z.enum(['command line', 'mcp', 'dashboard']),
  consent: z.enum(['asked', '--yes', 'refused']),
  ids: z.array(z.string()),
})

/**
 * Writes an entry. Call it before removing anything, so that nothing is removed without an entry.
 *
 * @throws PalimpsestError with code `store-read-only`.
 */
export function noteInAudit(home: string | undefined, entry: AuditEntry): void {
  if (home === undefined) return
  try {
    appendPrivateLine(fileIn(home), entry)
  } catch (cause) {
    const reason = errorMessage(cause)
    throw new PalimpsestError(
      'store-read-only',
      `the audit log ${fileIn(home)} cannot be written, so nothing was removed: ${reason}`,
      { cause },
    )
  }
}

export function auditEntries(home: string | undefined): readonly AuditEntry[] {
  if (home === undefined) return []
  return readPrivateLines(fileIn(home)).flatMap((line) => schema.safeParse(line).data ?? [])
}

function fileIn(home: string): string {
  return path.join(home, 'audit.jsonl')
}
