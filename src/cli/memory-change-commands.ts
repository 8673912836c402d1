import { Command } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import type { Scope } from '../memory/item.ts'
import { keyOfText } from '../memory/key-of-text.ts'
import type { NewItem } from '../memory/memory.ts'
import type { Verdict } from '../memory/state/event.ts'
import { openFlags } from '../memory/visible.ts'
import { forgetCommand } from './memory-forget-command.ts'
import { itemLine, listedItem } from './memory-lines.ts'
import {
  type MemoryOptions,
  type OpenedMemory,
  withMemory,
  withMemoryOptions,
} from './memory-open.ts'
import { type Terminal, writeLines } from './terminal.ts'

interface AddOptions extends MemoryOptions {
  readonly scope?: string
  readonly category?: string
  readonly confidence?: string
  readonly since?: string
  readonly expires?: string
  readonly why?: string
}

/** The commands that change what is remembered. */
export function memoryChangeCommands(terminal: Terminal): readonly Command[] {
  return [
    addCommand(terminal),
    change(
      terminal,
      'supersede <old> <new>',
      'say that one item replaced another',
      ({ memory }, [old, newer]) => {
        memory.supersede(old!, newer!)
        return [old!, newer!]
      },
    ),
    change(terminal, 'retract <id>', 'say that an item was never true', ({ memory }, [id]) => {
      memory.retract(id!)
      return [id!]
    }),
    change(
      terminal,
      'undo <id>',
      'take back the last supersession or retraction of an item',
      ({ memory }, [id]) => {
        memory.undo(id!)
        return [id!]
      },
    ),
    forgetCommand(terminal),
    reviewCommand(terminal),
  ]
}

function addCommand(terminal: Terminal): Command {
  return withMemoryOptions(new Command('add'))
    .description('remember a fact, a preference or a decision')
    .argument('<kind>', 'fact, preference or decision')
    .argument('<words...>', 'TEXT, or CATEGORY KEY VALUE for a preference')
    .option('--scope <scope>', 'user, project, session, or team:NAME')
    .option('--category <name>', 'what it belongs to')
    .option('--confidence <number>', 'between 0 and 1')
    .option('--since <date>', 'when it became true')
    .option('--expires <date>', 'when it stops being true')
    .option('--why <text>', 'the reason of a decision')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest memory add fact "user is a backend developer"
  palimpsest memory add preference style indentation "2 spaces"
  palimpsest memory add decision "Use PostgreSQL" --why "we know it"`,
    )
    .action(async (kind: string, words: readonly string[], options: AddOptions) =>
      withMemory(terminal, options, async (opened) => {
        const plan = await opened.memory.addDurably(newItem(kind, words, options, opened))
        await printItems(terminal, opened, [plan.id], options, 'one')
      }),
    )
}

function newItem(
  kind: string,
  words: readonly string[],
  options: AddOptions,
  { place }: OpenedMemory,
): NewItem {
  const base = {
    scope: scopeOf(options.scope ?? (kind === 'decision' ? 'project' : 'user'), place),
    ...(options.confidence === undefined ? {} : { confidence: fraction(options.confidence) }),
    ...(options.since === undefined ? {} : { validFrom: date(options.since) }),
    ...(options.expires === undefined ? {} : { expiresAt: date(options.expires) }),
    ...(options.why === undefined ? {} : { rationale: options.why }),
  }
  const text = words.join(' ')
  switch (kind) {
    case 'preference': {
      const [category, key, ...value] = words
      if (category === undefined || key === undefined || value.length === 0)
        throw new PalimpsestError('usage', 'a preference is given as CATEGORY KEY VALUE')
      const said = value.join(' ')
      return { kind, text: `${key}: ${said}`, category, attribute: key, value: said, ...base }
    }
    case 'fact':
    case 'decision':
      return {
        kind,
        text,
        subject: kind === 'fact' ? 'user' : 'project',
        ...keyOfText(text),
        ...(options.category === undefined ? {} : { category: options.category }),
        ...base,
      }
    default:
      throw new PalimpsestError('usage', `${kind} is none of fact, preference, decision`)
  }
}

function scopeOf(text: string, place: OpenedMemory['place']): Scope {
  if (text === 'user' || text === 'permanent') return 'user'
  if (text === 'project') return `project:${place.project}`
  if (text === 'session') return `session:${place.session}`
  if (/^(?:team|project|session):./.test(text)) return text as Scope
  throw new PalimpsestError('usage', `${text} is no scope: user, project, session, or team:NAME`)
}

function date(text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw new PalimpsestError('usage', `${text} is no date, such as 2026-03-31`)
  return time
}

function fraction(text: string): number {
  const value = Number(text)
  if (!(value >= 0 && value <= 1))
    throw new PalimpsestError('usage', `${text} is not between 0 and 1`)
  return value
}

function change(
  terminal: Terminal,
  usage: string,
  description: string,
  work: (opened: OpenedMemory, ids: readonly string[]) => readonly string[],
): Command {
  const command = withMemoryOptions(new Command(usage.split(' ')[0]!)).description(description)
  for (const argument of usage.split(' ').slice(1)) command.argument(argument, 'the id of an item')
  return command.action(async (...given: readonly unknown[]) => {
    const ids = given.filter((value) => typeof value === 'string')
    const options = given[ids.length] as MemoryOptions
    await withMemory(terminal, options, async (opened) =>
      printItems(terminal, opened, work(opened, ids), options, 'all'),
    )
  })
}

const verdicts: ReadonlySet<string> = new Set(['newer', 'older', 'both'])

function reviewCommand(terminal: Terminal): Command {
  return withMemoryOptions(new Command('review'))
    .description('show contradictions that nobody has settled, or settle one')
    .argument('[flag]', 'the id of a contradiction')
    .argument('[verdict]', 'newer, older or both: which of the two holds')
    .action(
      async (flag: string | undefined, verdict: string | undefined, options: MemoryOptions) => {
        if (flag !== undefined && (verdict === undefined || !verdicts.has(verdict)))
          throw new PalimpsestError('usage', 'say which holds: newer, older or both')
        await withMemory(terminal, options, async ({ memory, place }) => {
          if (flag !== undefined) memory.review(flag, verdict as Verdict)
          const { state } = memory
          const text = (id: string): string => state.items.get(id)?.item.text ?? id
          const open = openFlags(state, place)
          const lines = options.json
            ? [
                JSON.stringify(
                  open.map(({ id, items, reason }) => ({
                    id,
                    items,
                    texts: items.map(text),
                    reason,
                  })),
                ),
              ]
            : open.map(
                ({ id, items: [older, newer], reason }) =>
                  `${id}  “${text(older)}” and “${text(newer)}”: ${reason}`,
              )
          await writeLines(terminal.out, lines.length === 0 ? ['nothing to review'] : lines)
        })
      },
    )
}

async function printItems(
  terminal: Terminal,
  { memory }: OpenedMemory,
  ids: readonly string[],
  options: MemoryOptions,
  shape: 'one' | 'all',
): Promise<void> {
  // What is said of it is what has become of it.
  await memory.save()
  const now = memory.now()
  const { state } = memory
  const items = ids.flatMap((id) => {
    const entry = state.items.get(id)
    return entry ? [listedItem(entry, now)] : []
  })
  const json = shape === 'one' ? items[0] : items
  const lines = items.flatMap((item) => [
    itemLine(item),
    ...(shape === 'one' ? [item.supersedes ?? []].flat() : []).map(
      (id) => `  replaces ${id}  ${state.items.get(id)?.item.text ?? ''}`,
    ),
  ])
  await writeLines(terminal.out, options.json ? [JSON.stringify(json)] : lines)
}
