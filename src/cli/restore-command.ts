import { Command } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import type { FoundOriginal, Store, StoredSession } from '../store/index.ts'
import { chosenSetup, type SetupOptions, withStore, withStoreOptions } from './chosen-store.ts'
import { ownTokenHint } from './own-token.ts'
import type { ExitCode } from './program.ts'
import { type Terminal, writeContent, writeJson, writeNotice } from './terminal.ts'

interface RestoreOptions extends SetupOptions {
  readonly session?: string
  readonly json?: true
}

export function restoreCommand(terminal: Terminal, finish: (code: ExitCode) => void): Command {
  return withStoreOptions(new Command('restore'))
    .description('print the original behind a handle, byte for byte')
    .argument(
      '<handle>',
      'the handle in a placeholder: six or more hex digits, and optionally :FROM-TO for lines',
    )
    .option('--session <id>', 'look in this session only')
    .option('--json', 'print one JSON value: {session, text}, or {ambiguous: [session, …]}')
    .addHelpText(
      'after',
      `
Exits with 1 when no session has the handle, or when sessions have different texts under it; those are listed.

Examples:
  palimpsest restore a1b2c3
  palimpsest restore a1b2c3:40-80
  palimpsest restore a1b2c3 --session 4f1c > output.txt
  palimpsest restore a1b2c3 --store postgres://gateway@db/palimpsest`,
    )
    .action(async (handle: string, options: RestoreOptions) => {
      const [, named, from, to] = /^([0-9a-f]{6,})(?::(\d+)-(\d+))?$/i.exec(handle) ?? []
      if (named === undefined) {
        throw new PalimpsestError(
          'usage',
          `"${handle}" is not a valid handle: use six or more hex digits`,
        )
      }
      const found = await withStore(
        terminal,
        options,
        (store) => find(store, named.toLowerCase(), options.session),
        { readOnly: true },
      )
      switch (found.kind) {
        case 'found':
          await print(terminal, withLines(found, from, to), options)
          return
        case 'absent':
          writeNotice(
            terminal,
            `palimpsest: there is no original with the handle ${handle}${ownTokenHint(chosenSetup(terminal, options).location)}`,
          )
          finish(1)
          return
        case 'ambiguous':
          await list(terminal, handle, found.sessions, options)
          finish(1)
      }
    })
}

/** Only the given lines, when there are any. */
function withLines(
  found: FoundOriginal & { readonly kind: 'found' },
  from: string | undefined,
  to: string | undefined,
): FoundOriginal & { readonly kind: 'found' } {
  if (from === undefined) return found
  const lines = found.text.split('\n').slice(Number(from) - 1, Number(to))
  return { ...found, text: lines.join('\n') }
}

async function find(store: Store, handle: string, id: string | undefined): Promise<FoundOriginal> {
  if (id === undefined) return store.original(handle)
  const all = await store.sessions()
  const exact = all.filter((session) => session.id === id)
  const meant = exact.length > 0 ? exact : all.filter((session) => session.id.startsWith(id))
  if (meant.length === 0) {
    throw new PalimpsestError(
      'absent',
      `no session has the id ${id}. \`palimpsest sessions\` lists all ids.`,
    )
  }
  const found: (FoundOriginal & { readonly kind: 'found' })[] = []
  for (const session of meant) {
    const original = await store.original(handle, session)
    if (original.kind === 'found') found.push(original)
    if (original.kind === 'ambiguous') return original
  }
  const [first] = found
  if (first === undefined) return { kind: 'absent' }
  if (found.every(({ text }) => text === first.text)) return first
  return { kind: 'ambiguous', sessions: found.map(({ session }) => session) }
}

async function print(
  terminal: Terminal,
  { text, session }: FoundOriginal & { readonly kind: 'found' },
  { json }: RestoreOptions,
): Promise<void> {
  if (json) await writeJson(terminal, { session: session.id, text })
  else await writeContent(terminal, text)
}

async function list(
  terminal: Terminal,
  handle: string,
  sessions: readonly StoredSession[],
  { json }: RestoreOptions,
): Promise<void> {
  const ids = sessions.map(({ id }) => id)
  if (json) await writeJson(terminal, { ambiguous: ids })
  writeNotice(terminal, `palimpsest: ${handle} names different texts; choose one with --session:`)
  for (const id of ids) writeNotice(terminal, `  ${id}`)
}
