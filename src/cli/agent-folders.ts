import { createReadStream, existsSync, type Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { readRecording } from '../recordings/index.ts'
import type { RecordingFile } from '../recordings/recording.ts'

/** A session that an agent recorded itself. */
export interface AgentSession {
  readonly agent: string
  /** The file, or the folder of the session's files. */
  readonly place: string
  readonly bytes: number
  /** When it last changed, in milliseconds since 1970. */
  readonly changedAt: number
  read(): Promise<RecordingFile>
}

export interface AgentPlace {
  readonly agent: string
  readonly folder: string
  readonly sessions: readonly AgentSession[]
  /** Why its sessions cannot be read here, and what to do. */
  readonly note?: string
}

export interface UserPlaces {
  /** The user's home folder. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

interface Folder {
  readonly agent: string
  folder(places: UserPlaces): string
  /** Which files below it are sessions. */
  readonly files: RegExp
}

const folders: readonly Folder[] = [
  {
    agent: 'Claude Code',
    folder: ({ home, env }) =>
      path.join(env.CLAUDE_CONFIG_DIR ?? path.join(home, '.claude'), 'projects'),
    files: /^[^/]+\/[^/]+\.jsonl$/,
  },
  {
    agent: 'Codex',
    folder: ({ home, env }) => path.join(env.CODEX_HOME ?? path.join(home, '.codex'), 'sessions'),
    files: /rollout-[^/]*\.jsonl$/,
  },
  {
    agent: 'Pi',
    folder: ({ home }) => path.join(home, '.pi', 'agent', 'sessions'),
    files: /\.jsonl$/,
  },
  {
    agent: 'Copilot CLI',
    folder: ({ home }) => path.join(home, '.copilot', 'session-state'),
    files: /events\.jsonl$/,
  },
  {
    agent: 'Gemini CLI',
    folder: ({ home }) => path.join(home, '.gemini', 'tmp'),
    files: /chats\/session-[^/]*\.jsonl?$/,
  },
]

/** The folders in which agents keep their own sessions, those that exist. */
export async function findAgentPlaces(places: UserPlaces): Promise<readonly AgentPlace[]> {
  const found: AgentPlace[] = []
  for (const { agent, folder: locate, files } of folders) {
    const folder = locate(places)
    const sessions = await sessionsBelow(agent, folder, files)
    if (sessions !== null) found.push({ agent, folder, sessions })
  }
  const openCode = await findOpenCode(places)
  return openCode === null ? found : [...found, openCode]
}

/** null when there is no such folder. */
async function sessionsBelow(
  agent: string,
  folder: string,
  files: RegExp,
): Promise<readonly AgentSession[] | null> {
  const names = await readdir(folder, { recursive: true }).catch(() => null)
  if (names === null) return null
  const sessions: AgentSession[] = []
  for (const name of names) {
    if (!files.test(name.replaceAll(path.sep, '/'))) continue
    const place = path.join(folder, name)
    const info = await statOf(place)
    if (info === null || !info.isFile() || info.size === 0) continue
    const read = (): Promise<RecordingFile> => readRecording(createReadStream(place))
    sessions.push({ agent, place, bytes: info.size, changedAt: info.mtimeMs, read })
  }
  return sessions
}

async function statOf(place: string): Promise<Stats | null> {
  return stat(place).catch(() => null)
}

/** Newer versions keep sessions in a database, which only OpenCode itself reads. */
async function findOpenCode({ home, env }: UserPlaces): Promise<AgentPlace | null> {
  const agent = 'OpenCode'
  const data = env.XDG_DATA_HOME ?? path.join(home, '.local', 'share')
  const folder = path.join(data, 'opencode')
  const storage = path.join(folder, 'storage')
  const messages = await readdir(path.join(storage, 'message')).catch(() => [])
  if (messages.length > 0) {
    const sessions: AgentSession[] = []
    for (const id of messages) {
      const info = await statOf(path.join(storage, 'message', id))
      if (info?.isDirectory() !== true) continue
      const read = (): Promise<RecordingFile> => readStorage(storage, id)
      const place = path.join(storage, 'message', id)
      sessions.push({ agent, place, bytes: info.size, changedAt: info.mtimeMs, read })
    }
    return { agent, folder: storage, sessions }
  }
  if (!existsSync(path.join(folder, 'opencode.db'))) return null
  const note =
    'in a database: `opencode export SESSION > file.json`, then `palimpsest replay file.json`'
  return { agent, folder, sessions: [], note }
}

/** The files of one session, as one recording. */
async function readStorage(storage: string, id: string): Promise<RecordingFile> {
  const parts: string[] = []
  const names = await readdir(path.join(storage, 'message', id)).catch(() => [])
  const { readFile } = await import('node:fs/promises')
  const take = async (file: string): Promise<void> => {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text !== '') parts.push(`${text.replaceAll('\n', ' ')}\n`)
  }
  for (const project of await readdir(path.join(storage, 'session')).catch(() => []))
    await take(path.join(storage, 'session', project, `${id}.json`))
  for (const name of names) {
    await take(path.join(storage, 'message', id, name))
    const folder = path.join(storage, 'part', name.replace(/\.json$/, ''))
    for (const part of await readdir(folder).catch(() => [])) await take(path.join(folder, part))
  }
  return readRecording(Readable.from(parts.map((part) => Buffer.from(part))))
}
