import { Command } from 'commander'
import { formatSize, parseDuration, parseSize } from '../config/quantities.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import type { GcOutcome, Store } from '../store/index.ts'
import { type SetupOptions, withStore, withStoreOptions } from './chosen-store.ts'
import { plural } from './figures.ts'
import { hasConsent, yesOption } from './person-consent.ts'
import { type Terminal, writeJson, writeLines } from './terminal.ts'

interface GcOptions extends SetupOptions {
  readonly olderThan?: string
  readonly largerThan?: string
  readonly dryRun?: true
  readonly yes?: true
  readonly json?: true
}

export function gcCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('gc'))
    .description('remove sessions that have not been used for a long time')
    .option('--older-than <time>', 'remove sessions unused for this long: 30d, 12h')
    .option('--larger-than <size>', 'remove the longest unused sessions until the store fits: 5GB')
    .option('--dry-run', 'only show what would be removed')
    .option(...yesOption)
    .option('--json', 'print one JSON value: {removed, originals, bytesBefore, bytesAfter, dryRun}')
    .addHelpText(
      'after',
      `
With both options, removes sessions that exceed either limit.

Examples:
  palimpsest gc --older-than 30d --dry-run
  palimpsest gc --older-than 30d --larger-than 5GB --yes`,
    )
    .action(async (options: GcOptions) => {
      const { olderThan, largerThan, dryRun = false } = options
      if (olderThan === undefined && largerThan === undefined) {
        throw new PalimpsestError(
          'usage',
          'choose what to remove: --older-than 30d or --larger-than 5GB',
        )
      }
      const usedBefore =
        olderThan === undefined ? undefined : terminal.now() - parseDuration(olderThan)
      const largestBytes = largerThan === undefined ? undefined : parseSize(largerThan)
      const limits = {
        ...(usedBefore !== undefined && { usedBefore }),
        ...(largestBytes !== undefined && { largestBytes }),
      }
      const remove = async (store: Store): Promise<GcOutcome | null> => {
        const planned = await store.gc({ ...limits, dryRun: true })
        if (dryRun || planned.removed.length === 0) return planned
        const ids = planned.removed.map(({ id }) => id)
        const question = `Remove ${plural(ids.length, 'session')} for good?`
        const removal = { action: 'gc', ids, question, yes: options.yes === true } as const
        return (await hasConsent(terminal, removal)) ? store.gc({ ...limits, dryRun }) : null
      }
      const outcome = await withStore(terminal, options, remove, { whole: true })
      if (outcome === null) return
      if (options.json) {
        const removed = outcome.removed.map(({ id, usedAt }) => ({ id, usedAt }))
        await writeJson(terminal, { ...outcome, removed, dryRun })
        return
      }
      await writeLines(terminal.out, linesOf(outcome, dryRun))
    })
}

function linesOf(outcome: GcOutcome, dryRun: boolean): readonly string[] {
  const { removed, originals, bytesBefore, bytesAfter } = outcome
  if (removed.length === 0) return [`nothing exceeds the limits; ${formatSize(bytesBefore)}`]
  const sum = `${plural(removed.length, 'session')}, ${plural(originals, 'original')}`
  return [
    ...removed.map(({ id, usedAt }) => `${id}  last used ${new Date(usedAt).toISOString()}`),
    dryRun
      ? `would remove ${sum}: ${formatSize(bytesBefore)} → about ${formatSize(bytesAfter)}`
      : `removed ${sum}: ${formatSize(bytesBefore)} → ${formatSize(bytesAfter)}`,
  ]
}
