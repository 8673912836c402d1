import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { PalimpsestError } from '../core/words/errors.ts'
import { hashBytes, hashedContent, hashOf, type TextBytes } from './text-bytes.ts'

/** The first byte of a sealed block; see `block.ts` for those that are not sealed. Never change its meaning. */
const sealedMark = 2
/** What a sealed text begins with. No event of the memory, which is JSON, does. */
const sealedText = 'sealed:'
const nonceBytes = 12
const tagBytes = 16

/** What a store keeps about its key. The key cannot be derived from it. */
export interface SealRow {
  /** Random, so that one key gives other keys in another store. */
  readonly salt: string
  /** Tells a wrong key from the right one. */
  readonly proof: string
}

interface Keys {
  readonly text: Buffer
  readonly hash: Buffer
}

/** Encrypts what a store writes, or leaves it as it is when the store has no key. */
export class Sealing {
  readonly #keys: Keys | null

  /** @throws PalimpsestError with code `store-key` for another key than the store's. */
  constructor(key?: KeyObject, row?: SealRow) {
    if (row === undefined) {
      this.#keys = null
      return
    }
    if (key === undefined) throw missingKey()
    const proof = Buffer.from(row.proof, 'hex')
    const given = derived(key, row.salt, 'proof')
    if (proof.length !== given.length || !timingSafeEqual(proof, given)) throw wrongKey()
    this.#keys = { text: derived(key, row.salt, 'text'), hash: derived(key, row.salt, 'hash') }
  }

  get isOn(): boolean {
    return this.#keys !== null
  }

  /** A row for a store that gets this key. */
  static rowFor(key: KeyObject): SealRow {
    const salt = randomBytes(16).toString('hex')
    return { salt, proof: derived(key, salt, 'proof').toString('hex') }
  }

  static isSealed(bytes: Uint8Array): boolean {
    return bytes[0] === sealedMark
  }

  static isSealedText(text: string): boolean {
    return text.startsWith(sealedText)
  }

  seal(bytes: Uint8Array): Uint8Array {
    if (this.#keys === null) return bytes
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#keys.text, nonce)
    const content = [cipher.update(bytes), cipher.final()]
    return Buffer.concat([Buffer.of(sealedMark), nonce, cipher.getAuthTag(), ...content])
  }

  /** Bytes that were not sealed come back as they are: a store may have got its key later. */
  open(bytes: Uint8Array): Uint8Array {
    if (!Sealing.isSealed(bytes)) return bytes
    if (this.#keys === null) throw missingKey()
    const textAt = 1 + nonceBytes + tagBytes
    const decipher = createDecipheriv('aes-256-gcm', this.#keys.text, bytes.subarray(1, 13))
    try {
      decipher.setAuthTag(bytes.subarray(1 + nonceBytes, textAt))
      return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()])
    } catch (cause) {
      throw new PalimpsestError('store-corrupt', 'an encrypted part of the store was changed', {
        cause,
      })
    }
  }

  sealText(text: string): string {
    if (this.#keys === null) return text
    return sealedText + Buffer.from(this.seal(Buffer.from(text))).toString('base64')
  }

  openText(text: string): string {
    if (!Sealing.isSealedText(text)) return text
    const bytes = Buffer.from(text.slice(sealedText.length), 'base64')
    return Buffer.from(this.open(bytes)).toString('utf8')
  }

  /** The hash by which a text is found again. When the store has a key, the hash says nothing about the text without it. */
  hash(text: TextBytes): Buffer {
    if (this.#keys === null) return hashOf(text)
    const hmac = createHmac('sha256', this.#keys.hash).update(hashedContent(text))
    return hmac.digest().subarray(0, hashBytes)
  }
}

function derived(key: KeyObject, salt: string, use: 'text' | 'hash' | 'proof'): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.from(salt, 'hex'), `palimpsest ${use}`, 32))
}

const howToGive =
  'in PALIMPSEST_KEY, or in the file that `encryption.keyFile` of your configuration names'

function missingKey(): PalimpsestError {
  return new PalimpsestError(
    'store-key',
    `the store is encrypted, and no key was given: give its key ${howToGive}. Nothing was changed`,
  )
}

function wrongKey(): PalimpsestError {
  return new PalimpsestError(
    'store-key',
    `the store is encrypted with another key: give that one ${howToGive}. Nothing was changed`,
  )
}
