import { createInterface } from 'node:readline/promises'
import type { Readable } from 'node:stream'
import { Command } from 'commander'
import { PalimpsestError } from '../core/errors.ts'
import { memoryContext } from '../memory/context/context.ts'
import { createInMemoryLog } from '../memory/log/memory-log.ts'
import { Memory } from '../memory/memory.ts'
import { type Message, observe } from '../memory/observe.ts'
import { recordedMessages } from './memory-learn.ts'
import { parseMessage, sessionSplitter } from './memory-messages.ts'
import {
  type MemoryOptions,
  type OpenedMemory,
  withMemory,
  withMemoryOptions,
} from './memory-open.ts'
import { type Terminal, writeLines } from './terminal.ts'

interface ContextCommandOptions extends MemoryOptions {
  readonly query?: string
  readonly budget?: string
}

interface LearnOptions extends MemoryOptions {
  readonly yes?: true
}

/** The commands that take a conversation in, or give a model what it needs of it. */
export function memoryConversationCommands(
  terminal: Terminal,
  input: Readable,
): readonly Command[] {
  return [observeCommand(terminal, input), learnCommand(terminal, input), contextCommand(terminal)]
}

function observeCommand(terminal: Terminal, input: Readable): Command {
  return withMemoryOptions(new Command('observe'))
    .description('read messages, one JSON a line, from standard input, and remember what they say')
    .addHelpText(
      'after',
      `
A message is {"id": …, "role": "user", "text": …, "at": …}; \`at\` is a date or milliseconds, and may be left out.

Example:
  echo '{"id":"1","role":"user","text":"We use pnpm here."}' | palimpsest memory observe --json`,
    )
    .action(async (options: MemoryOptions) =>
      withMemory(terminal, options, async ({ memory, place }) => {
        const session =
          options.session === undefined ? sessionSplitter(place.session) : () => place.session
        let number = 0
        for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
          number++
          if (line.trim() === '') continue
          const message = parseMessage(line)
          if (message === undefined)
            throw new PalimpsestError(
              'unreadable',
              `line ${number} is no message: {"id", "role", "text", "at"?} is`,
            )
          const { id, corrections, changes } = observe(memory, message, {
            ...place,
            session: session(message),
          })
          await writeLines(
            terminal.out,
            options.json
              ? [JSON.stringify({ id, corrections, changes })]
              : changes.map(
                  (found) => `${found.op} ${found.kind} ${found.key ?? ''}: ${found.value}`,
                ),
          )
        }
      }),
    )
}

function learnCommand(terminal: Terminal, input: Readable): Command {
  return withMemoryOptions(new Command('learn'))
    .description(
      'read recorded sessions, show what they would leave in the memory, and store it on a yes',
    )
    .argument('<target>', 'a recording, or a folder of them')
    .option('--yes', 'store it without asking')
    .action(async (target: string, options: LearnOptions) => {
      const sessions = await recordedMessages(terminal, target)
      const preview = new Memory({
        log: createInMemoryLog(),
        now: () => terminal.now(),
        newId: (kind) => `${kind}_${counter.next().value}`,
      })
      const counter = numbers()
      const place = { project: options.project ?? terminal.cwd, session: '' }
      const changes = sessions.flatMap(({ session, messages }) =>
        messages.flatMap((message) => observe(preview, message, { ...place, session }).changes),
      )
      const lines = changes.map(
        ({ op, kind, key, value }) =>
          `${op} ${kind}${key === undefined ? '' : ` ${key}`}: ${value}`,
      )
      if (options.json && !options.yes) {
        await writeLines(terminal.out, [JSON.stringify(changes)])
        return
      }
      await writeLines(
        terminal.out,
        lines.length === 0 ? ['nothing to remember in these sessions'] : lines,
      )
      if (changes.length === 0 || !(options.yes || (await confirmed(terminal, input)))) return
      await withMemory(terminal, options, (opened) => store(opened, sessions))
      await writeLines(terminal.out, ['stored'])
    })
}

function store(
  { memory, place }: OpenedMemory,
  sessions: readonly { readonly session: string; readonly messages: readonly Message[] }[],
): void {
  for (const { session, messages } of sessions)
    for (const message of messages) observe(memory, message, { ...place, session })
}

async function confirmed(terminal: Terminal, input: Readable): Promise<boolean> {
  terminal.err.write('Store this? (yes/no) ')
  for await (const line of createInterface({ input })) return /^y(?:es)?$/i.test(line.trim())
  return false
}

function* numbers(): Generator<number, never> {
  for (let next = 1; ; next++) yield next
}

function contextCommand(terminal: Terminal): Command {
  return withMemoryOptions(new Command('context'))
    .description('the text that a model would be given')
    .option('--query <text>', 'what the task is')
    .option('--budget <tokens>', 'at most so many tokens', '2000')
    .action(async (options: ContextCommandOptions) => {
      const budgetTokens = Number(options.budget)
      if (!Number.isFinite(budgetTokens) || budgetTokens < 0)
        throw new PalimpsestError(
          'usage',
          `--budget takes a number of tokens, not ${options.budget}`,
        )
      await withMemory(terminal, options, async ({ memory, place }) => {
        const text = memoryContext(memory, place, {
          budgetTokens,
          ...(options.query === undefined ? {} : { query: options.query }),
        })
        await writeLines(
          terminal.out,
          options.json ? [JSON.stringify({ text })] : text === '' ? [] : [text],
        )
      })
    })
}
