import { createSecretKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PalimpsestError } from '../core/words/errors.ts'

export interface KeyOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The file that the configuration names. */
  readonly keyFile: string | undefined
  /** What a relative name starts from. */
  readonly folder: string
}

/**
 * The key of the store, from `PALIMPSEST_KEY` or else from the key file; undefined when there is none.
 *
 * @throws PalimpsestError with code `configuration`, which does not show the key.
 */
export function encryptionKey({ env, keyFile, folder }: KeyOptions): KeyObject | undefined {
  const inVariable = env.PALIMPSEST_KEY
  if (inVariable !== undefined && inVariable !== '') return keyOf(inVariable, 'PALIMPSEST_KEY')
  if (keyFile === undefined) return undefined
  const file = path.resolve(folder, keyFile)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    const message = `the key file ${file} (encryption.keyFile) cannot be read: make it a readable file with the key of the store`
    throw new PalimpsestError('configuration', message, { cause })
  }
  return keyOf(text, `the key file ${file}`)
}

const keyBytes = 32

function keyOf(given: string, where: string): KeyObject {
  const text = given.trim()
  const isHex = /^[0-9a-f]{64}$/i.test(text)
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64')
  const isBase64 = /^[\w+/-]{43}=?$/.test(text)
  if ((isHex || isBase64) && bytes.length === keyBytes) return createSecretKey(bytes)
  throw new PalimpsestError(
    'configuration',
    `${where} does not hold a key: give 32 random bytes as 64 hex digits or in base64, as \`openssl rand -hex 32\` prints them`,
  )
}
