import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import type { Recording, RecordingProblem } from '../recordings/recording.ts'
import { storedRecording } from '../replay/stored-recording.ts'
import { storedRequests } from '../replay/stored-steps.ts'
import { finish } from '../replay/work.ts'
import type { SessionSummary, Store } from '../store/index.ts'
import { chosenSetup, refuseAbsent, type SetupOptions, withStore } from './chosen-store.ts'
import { openRecording } from './recording-files.ts'
import type { Terminal } from './terminal.ts'

/** The recordings that a file holds, or a session of the store as a recording. */
export interface OpenedTarget {
  readonly recordings: readonly Recording[]
  readonly problems: readonly RecordingProblem[]
}

/** Wherever a command takes a recording, it takes the id of a stored session too. */
export function targetArgument(command: Command): Command {
  return command.argument('<file-or-session>', 'a recording, or the id of a stored session')
}

export const targetStoreOption: readonly [flags: string, description: string] = [
  '--store <path-or-url>',
  'the store of a session that is given by its id; default: the usual store',
]

/** Opens a recording by its path, or a session of the store by its id or the beginning of it. A file comes first. */
export async function openTarget(
  terminal: Terminal,
  target: string,
  options: Pick<SetupOptions, 'store' | 'config'> = {},
): Promise<OpenedTarget> {
  if (isFile(terminal, target) || !isStored(terminal, options)) return openRecording(target)
  return withStore(
    terminal,
    options,
    async (store) => {
      const found = await findSessions(store, target)
      if (found.length === 0)
        throw new PalimpsestError(
          'unreadable',
          `${target}: no such file, and no stored session has this id; \`palimpsest sessions\` lists them`,
        )
      const recordings: Recording[] = []
      for (const session of found) {
        const loaded = await store.load(session)
        const requests = finish(storedRequests(loaded, await store.receipts(session)))
        recordings.push(finish(storedRecording(requests, session)))
      }
      return { recordings, problems: [] }
    },
    { readOnly: true },
  )
}

/** The sessions with this id, or else those whose id begins with it; `undefined` means the last used one. */
export async function namedSessions(
  store: Store,
  name: string | undefined,
): Promise<readonly SessionSummary[]> {
  const found =
    name === undefined
      ? (await store.sessions()).filter(hasMessages).slice(0, 1)
      : await findSessions(store, name)
  if (found.length > 0) return found
  throw new PalimpsestError(
    'absent',
    name === undefined
      ? 'there are no sessions yet: `palimpsest run` and `palimpsest serve` record them'
      : `no session has the id ${name}. \`palimpsest sessions\` lists all ids.`,
  )
}

async function findSessions(store: Store, name: string): Promise<readonly SessionSummary[]> {
  const all = (await store.sessions()).filter(hasMessages)
  const exact = all.filter(({ id }) => id === name)
  if (exact.length > 0) return exact
  const begun = all.filter(({ id }) => name.length >= 4 && id.startsWith(name))
  // Forks of a session begin with its id.
  const ids = new Set(begun.map(({ id }) => id.split('.')[0]))
  if (ids.size <= 1) return begun.slice(0, 1)
  const known = begun.slice(0, 5).map(({ id }) => id)
  throw new PalimpsestError(
    'usage',
    `${name} is the beginning of several ids. Give more of one: ${known.join(', ')}`,
  )
}

function hasMessages({ messages }: SessionSummary): boolean {
  return messages > 0
}

function isFile({ cwd }: Terminal, target: string): boolean {
  return existsSync(path.resolve(cwd, target))
}

/** Whether there is a store to look in. A store that the user names has to exist. */
function isStored(terminal: Terminal, options: SetupOptions): boolean {
  try {
    const { location } = chosenSetup({ ...terminal, err: silent }, options)
    if (location.kind === 'memory') return false
    refuseAbsent(location)
    return true
  } catch (problem) {
    if (options.store !== undefined) throw problem
    return false
  }
}

const silent = { write: () => true } as unknown as Terminal['err']
