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
import { PalimpsestError } from '../core/words/errors.ts'

const recordName = 'trusted-folders.json'

/** What a project's file asks for beyond what a project may set. */
export interface TrustRequest {
  readonly file: string
  /** The folder that the user is asked about: the project, by its real path. */
  readonly folder: string
  readonly keys: readonly string[]
  /** Of the values asked for: a file that asks for something else is asked about again. */
  readonly hash: string
  /** Another user may have written it, so the user cannot trust it. */
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

/** What the user has answered to this very request; undefined when nobody has asked yet. */
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

/** Keeps an answer in the user's own folder, in the place of an earlier one about the same file. */
export function keepAnswer(home: string, answer: TrustAnswer): void {
  const others = trustAnswers(home).filter(({ file }) => file !== answer.file)
  writeAnswers(home, [...others, answer])
}

/** Forgets the answers about a folder and gives them. */
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

/** One sentence for the person whose keys were ignored. */
export function untrustedWarning({ file, folder, keys, isForeign }: TrustRequest): string {
  const ignored = `${printable(file)}: ignored ${keys.join(', ')}, which a project may not set by itself.`
  return isForeign
    ? `${ignored} The file belongs to another user and cannot be trusted.`
    : `${ignored} To allow this, run: palimpsest trust ${quoted(folder)}`
}

/** True when the file, or the link that leads to it, belongs to another user. Windows does not tell. */
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
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `the answer cannot be kept (${reason}). Make ${home} writable, or set PALIMPSEST_HOME.`
    throw new PalimpsestError('configuration', message, { cause })
  }
}

/** A path without links on the way; as it is written where nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path.replace(/(?<=.)[/\\]$/, '')
  }
}

/** The name of a folder that came with a repository may hold codes that a terminal would act on. */
export function printable(path: string): string {
  return path.replace(/\p{Cc}/gu, '\uFFFD')
}

function quoted(path: string): string {
  return /^[\w./~:\\-]+$/.test(path) ? path : `'${printable(path).replaceAll("'", `'\\''`)}'`
}

function unreadable(record: string, cause: unknown): PalimpsestError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `${record}: cannot be used (${reason}). Remove it, and trust your folders again.`
  return new PalimpsestError('configuration', message, { cause })
}
