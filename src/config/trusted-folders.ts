import { hash, randomUUID } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { errorMessage, PalimpsestError } from '../core/words/errors.ts'

const recordName = 'trusted-folders.json'

/** What a project's file asks for beyond what a project may set. */
export interface TrustRequest {
  readonly file: string
  /** The folder that the user is asked about: the project, by its real path. */
  readonly folder: string
  readonly keys: readonly string[]
  /** Hash of the values. A file that asks for other values needs a new answer. */
  readonly hash: string
  /** True for a file of another user, which cannot be trusted. */
  readonly isForeign: boolean
}

/** What the user answered about one file. */
export interface TrustAnswer extends Omit<TrustRequest, 'isForeign'> {
  readonly trusted: boolean
  /** When, as an ISO date. */
  readonly at: string
}

const answerSchema: z.ZodType<TrustAnswer> = z.object({
  file: z.string(),
  folder: z.string(),
  keys: z.array(z.string()),
  hash: z.string(),
  trusted: z.boolean(),
  at: z.string(),
})

export function trustRequest(
  file: string,
  keys: readonly string[],
  asked: Readonly<Record<string, unknown>>,
): TrustRequest {
  const own = realPath(dirname(file))
  const isInside = basename(own) === '.opencode'
  return {
    file: join(own, basename(file)),
    folder: isInside ? dirname(own) : own,
    keys: keys.toSorted(),
    hash: hash('sha256', JSON.stringify(asked)),
    isForeign: isForeignFile(file),
  }
}

/** The user's answer to this request; undefined when there is none yet. */
export function answerTo(request: TrustRequest, home: string | undefined): TrustAnswer | undefined {
  if (request.isForeign) return undefined
  return trustAnswers(home).find(({ file, hash }) => file === request.file && hash === request.hash)
}

/** @throws PalimpsestError with code `configuration` when the record cannot be read. */
export function trustAnswers(home: string | undefined): readonly TrustAnswer[] {
  if (home === undefined) return []
  const record = join(home, recordName)
  let text: string
  try {
    text = readFileSync(record, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw unreadable(record, error)
  }
  if (isForeignFile(record)) throw unreadable(record, 'it belongs to another user')
  try {
    return z.object({ answers: z.array(answerSchema) }).parse(JSON.parse(text)).answers
  } catch (error) {
    throw unreadable(record, error)
  }
}

/** Stores an answer in the user's own folder. It replaces an earlier one about the same file. */
export function keepAnswer(home: string, answer: TrustAnswer): void {
  const others = trustAnswers(home).filter(({ file }) => file !== answer.file)
  writeAnswers(home, [...others, answer])
}

/** Removes the answers about a folder and returns them. */
export function revokeTrust(home: string, folder: string): readonly TrustAnswer[] {
  const answers = trustAnswers(home)
  const meant = realPath(folder)
  const revoked = answers.filter((answer) => answer.folder === meant)
  if (revoked.length > 0)
    writeAnswers(
      home,
      answers.filter((answer) => !revoked.includes(answer)),
    )
  return revoked
}

/** Tells the user which keys were ignored and how to allow them. */
export function untrustedWarning({ file, folder, keys, isForeign }: TrustRequest): string {
  const ignored = `${printable(file)}: ignored ${keys.join(', ')}, which a project may not set by itself.`
  return isForeign
    ? `${ignored} The file belongs to another user and cannot be trusted.`
    : `${ignored} To allow this, run: palimpsest trust ${quoted(folder)}`
}

/** True when the file, or a link to it, belongs to another user. Always false on Windows. */
export function isForeignFile(file: string): boolean {
  const user = process.getuid?.()
  return user !== undefined && [lstatSync(file), statSync(file)].some(({ uid }) => uid !== user)
}

function writeAnswers(home: string, answers: readonly TrustAnswer[]): void {
  const record = join(home, recordName)
  const written = `${record}.${randomUUID()}`
  const text = JSON.stringify({ answers }, null, 2)
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    writeFileSync(written, `${text}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(written, record)
  } catch (cause) {
    const reason = errorMessage(cause)
    const message = `the answer cannot be kept (${reason}). Make ${home} writable, or set PALIMPSEST_HOME.`
    throw new PalimpsestError('configuration', message, { cause })
  }
}

/** The path with links resolved; unchanged when nothing exists there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path.replace(/(?<=.)[/\\]$/, '')
  }
}

/** Replaces control characters: folder names in a repository may contain terminal codes. */
export function printable(path: string): string {
  return path.replace(/\p{Cc}/gu, '\uFFFD')
}

function quoted(path: string): string {
  return /^[\w./~:\\-]+$/.test(path) ? path : `'${printable(path).replaceAll("'", `'\\''`)}'`
}

function unreadable(record: string, cause: unknown): PalimpsestError {
  const reason = errorMessage(cause)
  const message = `${record}: cannot be used (${reason}). Remove it, and trust your folders again.`
  return new PalimpsestError('configuration', message, { cause })
}
