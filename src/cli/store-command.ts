import { createReadStream, createWriteStream } from 'node:fs'
import path from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Command } from 'commander'
import { errorMessage, PalimpsestError } from '../core/words/errors.ts'
import { encryptStore } from '../store/encrypt-store.ts'
import type { Migrated, Store } from '../store/index.ts'
import {
  chosenSetup,
  refuseAbsent,
  type SetupOptions,
  withStore,
  withStoreOptions,
} from './chosen-store.ts'
import { plural } from './figures.ts'
import type { ExitCode } from './program.ts'
import { type Terminal, writeResult } from './terminal.ts'
import { visible } from './visible-text.ts'
import { writing } from './writing.ts'

interface StoreOptions extends SetupOptions {
  readonly json?: true
}

export function storeCommand(terminal: Terminal, finish: (code: ExitCode) => void): Command {
  const command = new Command('store')
    .description('check, migrate, encrypt, export or import the session store')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest store check
  palimpsest store export backup.jsonl
  palimpsest store import backup.jsonl --store postgres://gateway@db/palimpsest`,
    )
  for (const each of [
    checkCommand(terminal, finish),
    migrateCommand(terminal),
    encryptCommand(terminal),
    exportCommand(terminal),
    importCommand(terminal),
  ])
    command.addCommand(each)
  return command
}

function checkCommand(terminal: Terminal, finish: (code: ExitCode) => void): Command {
  return withStoreOptions(new Command('check'))
    .description('check everything in the store')
    .option('--json', 'print one JSON value: [{where, message}]')
    .addHelpText(
      'after',
      '\nExits with 1 when it finds a problem.\n\nExamples:\n  palimpsest store check',
    )
    .action(async (options: StoreOptions) => {
      const problems = await withStore(terminal, options, (store) => store.check(), {
        older: 'refuse',
        whole: true,
      })
      if (problems.length > 0) finish(1)
      const lines = problems.map(({ where, message }) => `${where}: ${message}`)
      const shown = lines.length === 0 ? ['no problems found'] : lines
      await writeResult(terminal, options, problems, shown)
    })
}

function migrateCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('migrate'))
    .description('migrate a store of an earlier version to the newest schema')
    .option('--json', 'print one JSON value: {from, to}, or null when there was nothing to do')
    .addHelpText('after', '\nExamples:\n  palimpsest store migrate --store old.db')
    .action(async (options: StoreOptions) => {
      let migrated: Migrated | null = null
      const onMigrated = (done: Migrated): void => {
        migrated = done
      }
      await withStore(terminal, options, async () => {}, { onMigrated, whole: true })
      await writeResult(terminal, options, migrated, [describe(migrated)])
    })
}

function encryptCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('encrypt'))
    .description('encrypt what the store has from before it got its key')
    .option('--json', 'print one JSON value: {blocks, originals, events}')
    .addHelpText(
      'after',
      `
The key is in PALIMPSEST_KEY, or in the file that encryption.keyFile of your configuration names. With a key,
everything new is always encrypted. Without the key the store cannot be read again: keep a copy of it elsewhere.

Examples:
  openssl rand -hex 32 > ~/palimpsest.key
  PALIMPSEST_KEY=$(cat ~/palimpsest.key) palimpsest store encrypt`,
    )
    .action(async (options: StoreOptions) => {
      const { location } = chosenSetup(terminal, options)
      if (location.kind === 'memory')
        throw new PalimpsestError(
          'usage',
          'a store in memory is not encrypted: give a file or a URL',
        )
      refuseAbsent(location)
      const done = await encryptStore(location)
      const { blocks, originals, events } = done
      const line =
        blocks + originals + events === 0
          ? 'everything is encrypted'
          : `encrypted ${plural(blocks, 'block')} of ${plural(originals, 'text')}, and ${plural(events, 'event')} of the memory`
      await writeResult(terminal, options, done, [line])
    })
}

function describe(migrated: Migrated | null): string {
  if (migrated === null) return 'the schema is up to date'
  return `migrated from schema ${migrated.from} to ${migrated.to}`
}

function exportCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('export'))
    .description('export all sessions as JSON lines, for any other store')
    .argument('[file]', 'the file to write; default: standard output')
    .addHelpText('after', '\nExamples:\n  palimpsest store export backup.jsonl')
    .action(async (file: string | undefined, options: StoreOptions) => {
      const write = async (store: Store): Promise<void> => {
        const lines = Readable.from(withBreaks(store.exportLines()))
        if (file === undefined) return pipeline(lines, terminal.out, { end: false })
        const target = path.resolve(terminal.cwd, file)
        await writing(target, () => pipeline(lines, privateFile(target)))
      }
      await withStore(terminal, options, write, { whole: true })
    })
}

function importCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('import'))
    .description('import what `store export` wrote; keeps sessions that exist already')
    .argument('<file>', 'the file to read; - is standard input')
    .option('--json', 'print one JSON value: {imported, skipped}')
    .addHelpText('after', '\nExamples:\n  palimpsest store import backup.jsonl --store new.db')
    .action(async (file: string, options: StoreOptions) => {
      const input =
        file === '-' ? process.stdin : createReadStream(path.resolve(terminal.cwd, file))
      const outcome = await withStore(
        terminal,
        options,
        (store) => store.importLines(linesOf(input, file)),
        { absent: 'make', whole: true },
      )
      const { imported, skipped } = outcome
      const known =
        skipped.length === 0 ? '' : `, ${skipped.length} skipped because they exist already`
      const text = `${plural(imported, 'session')} imported${known}`
      await writeResult(terminal, options, outcome, [text])
    })
}

async function* withBreaks(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) yield `${visible(line)}\n`
}

/** Readable only by the user, because sessions are private. */
function privateFile(file: string): Writable {
  return createWriteStream(file, { mode: 0o600 })
}

async function* linesOf(input: Readable, name: string): AsyncIterable<string> {
  let parts: string[] = []
  try {
    for await (const chunk of input.setEncoding('utf8')) {
      const [first = '', ...lines] = String(chunk).split('\n')
      parts.push(first)
      for (const line of lines) {
        yield parts.join('')
        parts = [line]
      }
    }
  } catch (cause) {
    if (PalimpsestError.is(cause)) throw cause
    const reason = errorMessage(cause)
    throw new PalimpsestError('unreadable', `${name} cannot be read: ${reason}`, { cause })
  }
  const last = parts.join('')
  if (last !== '') yield last
}
