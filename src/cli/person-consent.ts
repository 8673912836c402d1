import { PalimpsestError } from '../core/words/errors.ts'
import { type AuditEntry, noteInAudit } from '../store/audit-log.ts'
import { type Terminal, writeNotice } from './terminal.ts'

export const yesOption: readonly [flags: string, description: string] = [
  '--yes',
  'do not ask; required without a terminal',
]

export interface Removal extends Pick<AuditEntry, 'action' | 'ids'> {
  readonly question: string
  readonly yes: boolean
}

/**
 * Asks a person to confirm something that cannot be undone, or shows a program what it would do, and writes the answer to the audit log.
 *
 * @returns false when they decline.
 * @throws PalimpsestError with code `usage` when there is nobody to ask.
 */
export async function hasConsent(
  terminal: Terminal,
  { action, ids, question, yes }: Removal,
): Promise<boolean> {
  if (!yes && terminal.ask === undefined) {
    for (const line of question.split('\n')) writeNotice(terminal, line)
    throw new PalimpsestError(
      'usage',
      `${action} cannot be undone: confirm in a terminal, or add --yes`,
    )
  }
  const agreed = yes || (await terminal.ask?.(`${question} [y/N] `)) === true
  noteInAudit(terminal.home, {
    at: new Date(terminal.now()).toISOString(),
    action,
    door: 'command line',
    consent: yes ? '--yes' : agreed ? 'asked' : 'refused',
    ids,
  })
  return agreed
}
