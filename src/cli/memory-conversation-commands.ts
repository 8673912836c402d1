import { createInterface } from 'node:readline/promises'
import type { Readable } from 'node:stream'
import { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { errorMessage, PalimpsestError } from '../core/words/errors.ts'
import { createModelExtractor } from '../memory/extract/model-extractor.ts'
import type { Memory } from '../memory/memory.ts'
import { type Change, type Message, observeClaims, type Understood } from '../memory/observe.ts'
import {
  noExtractor,
  type ObserveWithOptions,
  observeWith,
  understand,
} from '../memory/observe-with-model.ts'
import { instructionLines, type RecordedConversation, recordedMessages } from './memory-learn.ts'
import { parseMessage, sessionSplitter } from './memory-messages.ts'
import { type MemoryOptions, withMemory, withMemoryOptions } from './memory-open.ts'
import { type Terminal, writeLines, writeNotice, writeResult } from './terminal.ts'

interface LearnOptions extends MemoryOptions {
  readonly yes?: true
}

export function observeCommand(terminal: Terminal, input: Readable): Command {
  return withMemoryOptions(new Command('observe'))
    .description(
      'read messages from standard input, one JSON object per line, and remember what they state',
    )
    .addHelpText(
      'after',
      `
A message is {"id": …, "role": "user", "text": …, "at": …}; \`at\` is an optional date or a number of milliseconds.

Example:
  echo '{"id":"1","role":"user","text":"We use pnpm here."}' | palimpsest memory observe --json`,
    )
    .action(async (options: MemoryOptions) =>
      withMemory(terminal, options, async ({ memory, place, config }) => {
        const session =
          options.session === undefined ? sessionSplitter(place.session) : () => place.session
        const model = extraction(terminal, config)
        let number = 0
        for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
          number++
          if (line.trim() === '') continue
          const message = parseMessage(line)
          if (message === undefined)
            throw new PalimpsestError(
              'unreadable',
              `line ${number} is not a message. Write it as {"id", "role", "text", "at"?}`,
            )
          const where = { ...place, session: session(message) }
          const { id, corrections, changes } = await observeWith(memory, message, where, model)
          // A printed line must be saved.
          await memory.save()
          await writeResult(
            terminal,
            options,
            { id, corrections, changes },
            changes.map(changeLine),
          )
        }
      }),
    )
}

export function learnCommand(terminal: Terminal, input: Readable): Command {
  return withMemoryOptions(new Command('learn'))
    .description(
      'read recorded sessions and instruction files (CLAUDE.md, AGENTS.md, README.md), show what would be remembered, and store it after confirmation',
    )
    .argument('<target>', 'a recording, an instruction file, or a folder')
    .option('--yes', 'store it without asking')
    .addHelpText(
      'after',
      `
With --json, prints the changes without asking, and stores them only with --yes.

Examples:
  palimpsest memory learn .
  palimpsest memory learn session.jsonl
  palimpsest memory learn ~/.claude/projects --yes`,
    )
    .action(async (target: string, options: LearnOptions) => {
      const sessions = await recordedMessages(terminal, target)
      const rules = await instructionLines(target)
      await withMemory(terminal, options, async ({ memory, place, config }) => {
        const said = [
          ...rules.map(({ message, claims }) => ({
            session: `instructions of ${place.project}`,
            message,
            found: { corrections: [], claims },
          })),
          ...(await understood(sessions, memory.now(), extraction(terminal, config))),
        ]
        const learn = (into: Memory) =>
          said.map(({ session, message, found }) => ({
            message,
            changes: observeClaims(into, message, { ...place, session }, found).changes,
          }))
        const preview = learn(memory.rehearsal())
        const changes = preview.flatMap(({ changes: each }) => each)
        const isSilent = options.json === true
        await writeLines(
          terminal.out,
          isSilent
            ? [JSON.stringify(changes)]
            : changes.length === 0
              ? ['nothing to remember']
              : preview.flatMap(({ message, changes: each }) =>
                  each.map((change) => `${changeLine(change)}  (${message.id})`),
                ),
        )
        if (changes.length === 0) return
        if (!options.yes && (isSilent || !(await confirmed(terminal, input)))) return
        learn(memory)
        if (!isSilent) await writeLines(terminal.out, ['stored'])
      })
    })
}

function changeLine({ op, kind, key, value }: Change): string {
  return `${op} ${kind}${key === undefined ? '' : ` ${key}`}: ${value}`
}

interface UnderstoodMessage {
  readonly session: string
  readonly message: Message
  readonly found: Understood
}

/** Reads each message once, because a model may answer differently the second time. */
async function understood(
  sessions: readonly RecordedConversation[],
  now: number,
  options: ObserveWithOptions,
): Promise<readonly UnderstoodMessage[]> {
  const said: UnderstoodMessage[] = []
  for (const { session, messages } of sessions)
    for (const message of messages)
      said.push({ session, message, found: await understand(message, now, options) })
  return said
}

/** The extraction model of the configuration. */
function extraction(terminal: Terminal, config: Config): ObserveWithOptions {
  const { extractor } = config.memory ?? {}
  return {
    extractor:
      extractor === undefined
        ? noExtractor
        : createModelExtractor({
            ...extractor,
            key:
              extractor.keyVariable === undefined ? undefined : process.env[extractor.keyVariable],
          }),
    onProblem: (problem) =>
      writeNotice(
        terminal,
        `palimpsest: ${errorMessage(problem)}; the message was read without the extraction model`,
      ),
  }
}

async function confirmed(terminal: Terminal, input: Readable): Promise<boolean> {
  // Lines of a terminal that nobody closes would keep the command from ending.
  if (terminal.ask !== undefined) return (await terminal.ask('Store this? [y/N] ')) === true
  terminal.err.write('Store this? [y/N] ')
  for await (const line of createInterface({ input })) return /^y(?:es)?$/i.test(line.trim())
  return false
}
