import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { PalimpsestError } from '../../core/words/errors.ts'

/** A parsed `postgres://` URL: our parameters, and the rest for `pg`. */
export interface ConnectionUrl {
  /** Without `schema` and the TLS parameters. */
  readonly connectionString: string
  readonly schema: string
  /** Undefined when the URL does not say. */
  readonly ssl: false | ConnectionOptions | undefined
  /** `sslmode=prefer`: connects without TLS when the server has none. */
  readonly mayGoWithoutTls: boolean
}

const defaultSchema = 'palimpsest'
/** PostgreSQL truncates longer names. */
const longestNameBytes = 63

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** @throws PalimpsestError with code `usage`, which never has a password in its message. */
export function readConnectionUrl(url: string): ConnectionUrl {
  const at = url.indexOf('?')
  const base = at === -1 ? url : url.slice(0, at)
  const parameters = new URLSearchParams(at === -1 ? '' : url.slice(at + 1))
  refuseMalformed(url, base, parameters)
  const schema = schemaFrom(parameters)
  const tls = tlsFrom(parameters)
  for (const name of ['schema', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'])
    parameters.delete(name)
  const rest = parameters.toString()
  return { connectionString: rest === '' ? base : `${base}?${rest}`, schema, ...tls }
}

export function malformedUrl(): PalimpsestError {
  return new PalimpsestError(
    'usage',
    'the PostgreSQL URL of the store is malformed: write postgres://user:password@host:5432/database, with special characters of the password percent-encoded (@ as %40, / as %2F, # as %23, ? as %3F)',
  )
}

/** An unencoded character in a password ends it early, and the rest is read as something else. */
function refuseMalformed(url: string, base: string, parameters: URLSearchParams): void {
  // Without a host, `?host=` or this machine is used.
  const complete = base.replace('@/', '@localhost/')
  const isUrl = /^postgres(ql)?:\/\//i.test(base) && URL.canParse(complete)
  const { pathname } = isUrl ? new URL(complete) : { pathname: '' }
  const isWhole = !url.includes('#') && !/[@/]/.test(pathname.slice(1))
  const hasNames = [...parameters.keys()].every((name) => /^[\w.-]+$/.test(name))
  if (!isUrl || !isWhole || !hasNames) throw malformedUrl()
}

function schemaFrom(parameters: URLSearchParams): string {
  const schema = parameters.get('schema') ?? defaultSchema
  const isName = schema !== '' && !schema.includes('\0')
  if (isName && Buffer.byteLength(schema) <= longestNameBytes) return schema
  throw new PalimpsestError(
    'usage',
    `schema in the URL of the store is not a valid name: use 1 to ${longestNameBytes} bytes`,
  )
}

/**
 * Reads the TLS modes as libpq does: https://www.postgresql.org/docs/current/libpq-ssl.html. Versions 8 and 9 of `pg`
 * read them differently.
 */
function tlsFrom(parameters: URLSearchParams): Pick<ConnectionUrl, 'ssl' | 'mayGoWithoutTls'> {
  const rootFile = parameters.get('sslrootcert') ?? undefined
  const mode = parameters.get('sslmode') ?? (rootFile === undefined ? undefined : 'verify-full')
  if (mode === undefined) return { ssl: undefined, mayGoWithoutTls: false }
  if (!sslModes.includes(mode)) {
    const known = sslModes.join(', ')
    throw new PalimpsestError('usage', `sslmode=${mode} is not known; use one of: ${known}`)
  }
  if (mode === 'disable') return { ssl: false, mayGoWithoutTls: false }
  if (mode === 'verify-ca' && rootFile === undefined)
    throw new PalimpsestError('usage', 'sslmode=verify-ca needs sslrootcert=FILE in the URL')
  const hasRoot = rootFile !== undefined && mode !== 'no-verify'
  const verifies = mode === 'verify-full' || hasRoot
  return {
    mayGoWithoutTls: mode === 'prefer' || mode === 'allow',
    ssl: {
      rejectUnauthorized: verifies,
      ...(verifies && mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
      // `system` means the authorities that this runtime trusts.
      ...(hasRoot && rootFile !== 'system' && { ca: read('sslrootcert', rootFile) }),
      ...(parameters.has('sslcert') && { cert: read('sslcert', parameters.get('sslcert')) }),
      ...(parameters.has('sslkey') && { key: read('sslkey', parameters.get('sslkey')) }),
    },
  }
}

function read(name: string, file: string | null): string {
  try {
    return readFileSync(file ?? '', 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const message = `${name} in the URL of the store: ${file} cannot be read (${code})`
    throw new PalimpsestError('usage', message, { cause })
  }
}
