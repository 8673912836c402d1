import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { PalimpsestError } from '../core/words/errors.ts'

/** The first byte of a stored block. Stores hold it: a value never changes its meaning. */
const plain = 0
const deflated = 1

/** How much of what stands before a block is its dictionary; blocks that are stored depend on it. */
const dictionaryBytes = 8192

/** A turn is written while somebody waits: a little larger, for three quarters of the time. Reading does not depend on it. */
const packing = { level: 3 } as const

/** A chain this long ends, so that reading one block of it never takes much. */
const longestChainBytes = 131_072
const mostBlocksOfChain = 32

/**
 * Blocks of one chain, one after the other. Each is compressed with what stands before it in the chain as its dictionary,
 * because turns of a session repeat each other; to read one, those before it are read first.
 */
export class Chain {
  #tail: Buffer = Buffer.alloc(0)
  #bytes = 0
  #blocks = 0

  /** False when the next block should start a chain of its own. */
  get hasRoom(): boolean {
    return this.#bytes < longestChainBytes && this.#blocks < mostBlocksOfChain
  }

  /** The content as it is stored, after all that the chain has. */
  pack(content: Buffer): Uint8Array {
    const packed = deflateRawSync(content, { ...packing, ...this.#dictionary() })
    this.#add(content)
    return packed.length < content.length ? marked(deflated, packed) : marked(plain, content)
  }

  /** The content of the block that comes next in the chain. */
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
