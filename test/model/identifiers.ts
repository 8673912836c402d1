import { createHash } from 'node:crypto'

/** Gives ids that look like a provider's and are the same for the same seed in the same order. */
export interface Identifiers {
  next(prefix: string, length?: number): string
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789'

export function createIdentifiers(seed: number): Identifiers {
  let issued = 0
  return {
    next(prefix, length = 22) {
      issued += 1
      const digest = createHash('sha512').update(`${seed}:${issued}`).digest()
      let text = ''
      for (let index = 0; index < length; index += 1) {
        text += alphabet[digest[index % digest.length]! % alphabet.length]
      }
      return `${prefix}${text}`
    },
  }
}
