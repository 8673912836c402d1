import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { PalimpsestError } from '../core/words/errors.ts'

/** The first byte of a stored block. Never change the meaning of a value. */
const plain = 0
const deflated = 1

/** How many bytes before a block are its dictionary. Stored blocks depend on it. */
const dictionaryBytes = 8192

/** Slightly larger output than the default level, in less time. Reading does not depend on it. */
const packing = { level: 3 } as const

/** The longest chain. Reading a block reads its chain up to the block. */
const longestChainBytes = 131_072
const mostBlocksOfChain = 32

/**
 * Packs and unpacks the blocks of one chain in order. Each block is compressed with the content before it as
 * dictionary, because the turns of a session repeat each other.
 */
export class Chain {
  #tail: Buffer = Buffer.alloc(0)
  #bytes = 0
  #blocks = 0

  /** False when the next block should start a new chain. */
  get hasRoom(): boolean {
    return this.#bytes < longestChainBytes && this.#blocks < mostBlocksOfChain
  }

  /** Packs the next block of the chain. */
  pack(content: Buffer): Uint8Array {
    const packed = deflateRawSync(content, { ...packing, ...this.#dictionary() })
    this.#add(content)
    return packed.length < content.length ? marked(deflated, packed) : marked(plain, content)
  }

  /** Unpacks the next block of the chain. */
  unpack(stored: Uint8Array): Buffer {
    const content = this.#unpacked(stored)
    this.#add(content)
    return content
  }

  #unpacked(stored: Uint8Array): Buffer {
    const rest = Buffer.from(stored.buffer, stored.byteOffset + 1, stored.byteLength - 1)
    if (stored[0] === plain) return rest
    if (stored[0] !== deflated) {
      throw corrupt(`a block starts with the byte ${stored[0]}, which no version wrote`)
    }
    try {
      return inflateRawSync(rest, this.#dictionary())
    } catch (cause) {
      throw corrupt('a block cannot be decompressed', cause)
    }
  }

  #dictionary(): { readonly dictionary?: Buffer } {
    return this.#tail.length === 0 ? {} : { dictionary: this.#tail }
  }

  #add(content: Buffer): void {
    this.#bytes += content.length
    this.#blocks++
    this.#tail =
      content.length >= dictionaryBytes
        ? content.subarray(-dictionaryBytes)
        : Buffer.concat([this.#tail, content]).subarray(-dictionaryBytes)
  }
}

function marked(mark: number, bytes: Uint8Array): Uint8Array {
  const stored = new Uint8Array(bytes.length + 1)
  stored[0] = mark
  stored.set(bytes, 1)
  return stored
}

function corrupt(message: string, cause?: unknown): PalimpsestError {
  return new PalimpsestError('store-corrupt', message, { cause })
}
