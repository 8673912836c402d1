import { Command } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import { findPatterns } from '../memory/patterns.ts'
import { searchMemory } from '../memory/search/search.ts'
import { statusAt } from '../memory/state/as-of.ts'
import { chainOf } from '../memory/state/chain.ts'
import { checkState } from '../memory/state/check.ts'
import { knownItem } from '../memory/state/link-items.ts'
import { visibleItems } from '../memory/visible.ts'
import { auditEntries } from '../store/audit-log.ts'
import { plural } from './figures.ts'
import { itemLine, listedItem } from './memory-lines.ts'
import { lookIntoMemory, type MemoryOptions, withMemoryOptions } from './memory-open.ts'
import type { ExitCode } from './program.ts'
import { type Terminal, writeLines } from './terminal.ts'

interface ListOptions extends MemoryOptions {
  readonly all?: true
  readonly kind?: string
  readonly asOf?: string
  readonly recorded?: string
}

interface SearchCommandOptions extends MemoryOptions {
  readonly all?: true
  readonly limit?: string
}

/** The commands that only look. */
export function memoryLookCommands(
  terminal: Terminal,
  finish: (code: ExitCode) => void,
): readonly Command[] {
  return [
    listCommand(terminal),
    getCommand(terminal),
    searchCommand(terminal),
    historyCommand(terminal),
    patternsCommand(terminal),
    checkCommand(terminal, finish),
    auditCommand(terminal),
  ]
}

function listCommand(terminal: Terminal): Command {
  return withMemoryOptions(new Command('list'))
    .description('what is remembered for this project, and for all of them')
    .option('--all', 'superseded and retracted items too')
    .option('--kind <kind>', 'only facts, preferences or decisions')
    .option('--as-of <date>', 'what was true then')
    .option('--recorded <date>', 'what was known then')
    .action(async (options: ListOptions) =>
      lookIntoMemory(terminal, options, async ({ memory, place }) => {
        const now = memory.now()
        const asOf = {
          ...(options.asOf === undefined ? {} : { valid: time(options.asOf) }),
          ...(options.recorded === undefined ? {} : { recorded: time(options.recorded) }),
        }
        const items = visibleItems(memory.state, place)
          .map((entry) => listedItem(entry, now, statusAt(entry, now, asOf)))
          .filter((item) => (options.all && item.status !== 'unknown') || item.current)
          .filter(
            (item) => options.kind === undefined || item.kind === options.kind.replace(/s$/, ''),
          )
        const shown = items.length === 0 ? ['nothing is remembered'] : items.map(itemLine)
        await writeLines(terminal.out, options.json ? [JSON.stringify(items)] : shown)
      }),
    )
}

function time(text: string): number {
  const parsed = Date.parse(text)
  if (Number.isNaN(parsed))
    throw new PalimpsestError('usage', `${text} is no date, such as 2026-03-31`)
  return parsed
}

function getCommand(terminal: Terminal): Command {
  return withMemoryOptions(new Command('get'))
    .description('one item, with everything that is known of it')
    .argument('<id>', 'the id of an item')
    .action(async (id: string, options: MemoryOptions) =>
      lookIntoMemory(terminal, options, async ({ memory }) => {
        const item = listedItem(knownItem(memory.state, id), memory.now())
        await writeLines(
          terminal.out,
          options.json
            ? [JSON.stringify(item)]
            : Object.entries(item).map(
                ([name, value]) =>
                  `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
              ),
        )
      }),
    )
}

function searchCommand(terminal: Terminal): Command {
  return withMemoryOptions(new Command('search'))
    .description('full text over what is remembered and what was said')
    .argument('<text...>', 'words to look for')
    .option('--all', 'superseded and retracted items too, marked')
    .option('--limit <n>', 'at most so many', '20')
    .action(async (text: readonly string[], options: SearchCommandOptions) => {
      const limit = Number(options.limit)
      if (!Number.isInteger(limit) || limit < 1)
        throw new PalimpsestError('usage', `--limit takes a whole number, not ${options.limit}`)
      await lookIntoMemory(terminal, options, async ({ memory, place }) => {
        const hits = searchMemory(memory, text.join(' '), {
          include: options.all ? 'all' : 'current',
          limit,
          place,
        })
        await writeLines(
          terminal.out,
          options.json
            ? [JSON.stringify(hits)]
            : hits.length === 0
              ? ['nothing found']
              : hits.map(
                  (hit) =>
                    `${hit.id}  ${hit.text.replace(/\s+/g, ' ').slice(0, 200)}${hit.current ? '' : `  (${hit.status})`}`,
                ),
        )
      })
    })
}

function historyCommand(terminal: Terminal): Command {
  return withMemoryOptions(new Command('history'))
    .description('the chain of an item: what it replaced and what replaced it')
    .argument('<id>', 'any member of the chain')
    .action(async (id: string, options: MemoryOptions) =>
      lookIntoMemory(terminal, options, async ({ memory }) => {
        knownItem(memory.state, id)
        const chain = chainOf(memory.state, id).map((entry) => listedItem(entry, memory.now()))
        await writeLines(
          terminal.out,
          options.json
            ? [JSON.stringify(chain)]
            : chain.map((item) => `${item.validFrom.slice(0, 10)}  ${itemLine(item)}`),
        )
      }),
    )
}

function patternsCommand(terminal: Terminal): Command {
  return withMemoryOptions(new Command('patterns'))
    .description('what changes often, and what to ask because of it')
    .action(async (options: MemoryOptions) =>
      lookIntoMemory(terminal, options, async ({ memory, place }) => {
        const patterns = findPatterns(memory.state, place)
        const lines = [
          ...patterns.unstable.map(
            (found) => `${found.kind} ${found.key}: ${found.values.join(' → ')}; ${found.advice}`,
          ),
          ...patterns.categories.map(
            (found) =>
              `${found.category}: ${plural(found.conflicts, 'conflict')} among ${plural(found.items, 'item')}`,
          ),
          ...patterns.corrections.map(
            ({ week, count }) => `week of ${week}: ${plural(count, 'correction')}`,
          ),
          ...(patterns.openFlags > 0
            ? [`${patterns.openFlags} contradictions wait for \`memory review\``]
            : []),
        ]
        await writeLines(
          terminal.out,
          options.json
            ? [JSON.stringify(patterns)]
            : lines.length === 0
              ? ['nothing stands out']
              : lines,
        )
      }),
    )
}

function checkCommand(terminal: Terminal, finish: (code: ExitCode) => void): Command {
  return withMemoryOptions(new Command('check'))
    .description('verify every invariant; repairs nothing')
    .action(async (options: MemoryOptions) =>
      lookIntoMemory(terminal, options, async ({ memory }) => {
        const violations = checkState(memory.state, memory.now())
        if (violations.length > 0) finish(1)
        const lines = violations.map(({ rule, message }) => `${rule}: ${message}`)
        const count = memory.state.items.size
        await writeLines(
          terminal.out,
          options.json
            ? [JSON.stringify(violations)]
            : lines.length === 0
              ? [`${count} items, nothing wrong`]
              : lines,
        )
      }),
    )
}

function auditCommand(terminal: Terminal): Command {
  return new Command('audit')
    .description('who forgot, imported over or removed something for good, and how a person agreed')
    .option('--json', 'print JSON: [{at, action, door, consent, ids}]')
    .action(async ({ json }: { readonly json?: true }) => {
      const entries = auditEntries(terminal.home)
      const lines = entries.map(
        ({ at, action, door, consent, ids }) =>
          `${at}  ${action} (${door}, ${consent}): ${ids.join(', ') || 'nothing'}`,
      )
      await writeLines(terminal.out, json ? [JSON.stringify(entries)] : lines)
    })
}
