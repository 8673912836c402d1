import { resolve } from 'node:path'
import type { ConfigFile } from '../config/config.ts'
import { nearest } from '../config/nearest.ts'
import { parseConfig } from '../config/parse.ts'
import { keysAt } from '../config/schema-keys.ts'
import { untrustedWarning } from '../config/trusted-folders.ts'
import { userConfigFolder } from '../config/user-folder.ts'
import { errorMessage, PalimpsestError } from '../core/words/errors.ts'
import { isJsonObject } from '../core/words/json.ts'
import type { StoredReceipt } from '../report/request-receipt.ts'
import { readSetup, type Setup } from '../session/setup.ts'

/** What happened to one request, once its answer has ended. */
export interface PruneReceipt extends StoredReceipt {
  /** The session's id in the store; null when the request is not a turn of one. */
  readonly session: string | null
  /** The folder that its agent works in, when known. */
  readonly folder: string | null
}

/**
 * Options of `withPalimpsest` and `pruneMiddleware`. Every key of the configuration can be given here too; it wins over
 * `palimpsest.jsonc`, which holds for the rest.
 */
export interface PruneOptions
  extends Omit<
    ConfigFile,
    '$schema' | 'upstreams' | 'allowedHosts' | 'limits' | 'delegateClears' | 'verify' | 'gc' | 'log'
  > {
  /**
   * Names the conversation. When left out, a session is recognised as the gateway does it: by a header such as
   * `x-session-id`, or else by the messages that it begins with.
   */
  readonly session?: string | undefined
  /** The folder whose configuration holds, and in which the agent works when its requests name none. */
  readonly cwd?: string | undefined
  /** Gets what happened to each request when its answer has ended. */
  readonly onReceipt?: ((receipt: PruneReceipt) => void) | undefined
  /** Gets every error inside Palimpsest. The affected request was sent unchanged. A process warning when left out. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** The options, read and checked. */
export interface LibrarySetup extends Setup {
  readonly session: string | null
  /** The folder that was given; null when none was. */
  readonly cwd: string | null
  readonly home: string
  onReceipt(receipt: PruneReceipt): void
  /** Never throws. */
  onError(error: unknown): void
}

const ownKinds = {
  session: 'string',
  cwd: 'string',
  onReceipt: 'function',
  onError: 'function',
} as const
const serverKeys = [
  '$schema',
  'upstreams',
  'allowedHosts',
  'limits',
  'delegateClears',
  'verify',
  'gc',
  'log',
]

/**
 * Reads the options of a library call and the configuration below them.
 *
 * @throws PalimpsestError with code `usage` or `configuration`, naming the option and what would be valid.
 */
export function readOptions(caller: string, options: PruneOptions): LibrarySetup {
  const config = configIn(caller, options)
  const { session = null, cwd, onReceipt = () => {}, onError = warn } = options
  const home = userConfigFolder()
  const folder = resolve(cwd ?? process.cwd())
  const setup = readSetup({ cwd: folder, home, text: JSON.stringify(config) })
  for (const request of setup.config.untrusted ?? []) process.emitWarning(untrustedWarning(request))
  return {
    ...setup,
    session,
    cwd: cwd === undefined ? null : folder,
    home,
    onReceipt,
    onError: (error) => safely(() => onError(error)),
  }
}

/** The part of the options that is configuration. */
function configIn(caller: string, options: unknown): ConfigFile {
  if (!isJsonObject(options))
    throw new PalimpsestError('usage', `${caller} takes options, as in { preset: 'balanced' }.`)
  const own = Object.keys(ownKinds)
  const valid = [...own, ...keysAt([]).filter((key) => !serverKeys.includes(key))]
  const config: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(options)) {
    if (!valid.includes(key)) {
      const guess = nearest(key, valid)
      const advice = guess === null ? `Valid: ${valid.join(', ')}.` : `Did you mean '${guess}'?`
      throw new PalimpsestError('usage', `${caller} has no option '${key}'. ${advice}`)
    }
    if (!own.includes(key)) config[key] = value
    else if (value !== undefined) checkOwn(caller, key as keyof typeof ownKinds, value)
  }
  try {
    return parseConfig({
      text: JSON.stringify(config),
      where: caller,
      fileName: 'palimpsest.jsonc',
    }).config
  } catch (cause) {
    if (!PalimpsestError.is(cause)) throw cause
    throw new PalimpsestError(
      cause.code,
      cause.message.replaceAll(`${caller}, line 1: `, `${caller}: `),
    )
  }
}

function checkOwn(caller: string, key: keyof typeof ownKinds, value: unknown): void {
  const kind = ownKinds[key]
  if (typeof value === kind && value !== '') return
  const wanted = kind === 'string' ? 'a text that is not empty' : 'a function'
  throw new PalimpsestError('usage', `${caller}: '${key}' must be ${wanted}.`)
}

function warn(error: unknown): void {
  process.emitWarning(errorMessage(error), 'PalimpsestWarning')
}

/** The request continues even when the user's callback fails. */
export function safely(work: () => void): void {
  try {
    work()
  } catch (problem) {
    process.emitWarning(`a callback failed: ${String(problem)}`, 'PalimpsestWarning')
  }
}
