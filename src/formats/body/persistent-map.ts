/**
 * A map that is never changed: `set` gives a new one, which shares nearly everything with the old one. A reader can so
 * keep what it knew after each message and go on from any of them. Going on from the newest costs the same however many
 * there are; only who goes on from an older one, beside others that already did, pays for a copy.
 */
export interface PersistentMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): PersistentMap<Value>
}

/** A value under a key, from a version on, in front of the one that it replaced. */
interface Written<Value> {
  readonly value: Value
  readonly version: number
  readonly before: Written<Value> | undefined
}

/** What all versions share: nothing is ever taken out of it. */
interface Versions<Value> {
  readonly newest: Map<string, Written<Value>>
  version: number
}

/** A map with nothing in it. */
export function emptyMap<Value>(): PersistentMap<Value> {
  return {
    get: () => undefined,
    // Versions of their own for each: an empty map is a constant, and would keep what all others hold.
    set: (key, value) => write({ newest: new Map(), version: 0 }, key, value),
  }
}

class Version<Value> implements PersistentMap<Value> {
  readonly #versions: Versions<Value>
  readonly #version: number

  constructor(versions: Versions<Value>) {
    this.#versions = versions
    this.#version = versions.version
  }

  get(key: string): Value | undefined {
    return writtenBy(this.#versions.newest.get(key), this.#version)?.value
  }

  set(key: string, value: Value): PersistentMap<Value> {
    const isNewest = this.#versions.version === this.#version
    return write(isNewest ? this.#versions : copyOf(this.#versions, this.#version), key, value)
  }
}

function write<Value>(versions: Versions<Value>, key: string, value: Value): Version<Value> {
  const before = versions.newest.get(key)
  versions.newest.set(key, { value, version: ++versions.version, before })
  return new Version(versions)
}

/** What stood there at a version, given what stands there now. */
function writtenBy<Value>(
  newest: Written<Value> | undefined,
  version: number,
): Written<Value> | undefined {
  let written = newest
  while (written !== undefined && written.version > version) written = written.before
  return written
}

function copyOf<Value>({ newest }: Versions<Value>, version: number): Versions<Value> {
  const copy = new Map<string, Written<Value>>()
  for (const [key, written] of newest) {
    const kept = writtenBy(written, version)
    if (kept !== undefined) copy.set(key, kept)
  }
  return { newest: copy, version }
}
