import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { StoredToken } from '../../store/index.ts'

/** A token is `pal_`, the id by which it is found, and a secret of which only the hash is kept. */
const pattern = /^pal_([0-9a-f]{10})_([\w-]{32})$/

export interface NewToken {
  readonly id: string
  /** Shown once. */
  readonly text: string
  readonly hash: string
}

export function newToken(): NewToken {
  const id = randomBytes(5).toString('hex')
  const secret = randomBytes(24).toString('base64url')
  return { id, text: `pal_${id}_${secret}`, hash: hash('sha256', secret) }
}

/** Whether a text was meant as a named token. */
export function isNamed(text: string): boolean {
  return text.startsWith('pal_')
}

/** The id in a token; null for a text that is no token. */
export function idIn(text: string): string | null {
  return pattern.exec(text)?.[1] ?? null
}

export function isSecretOf(text: string, { hash: kept }: Pick<StoredToken, 'hash'>): boolean {
  const secret = pattern.exec(text)?.[2] ?? ''
  const given = hash('sha256', secret, 'buffer')
  const known = Buffer.from(kept, 'hex')
  return known.length === given.length && timingSafeEqual(given, known)
}
