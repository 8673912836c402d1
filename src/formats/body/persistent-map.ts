/**
 * An immutable map: `set` returns a new one that shares its data with the old one, so a reader can keep the state after
 * each message and resume from any of them. `set` on the newest version takes constant time; on an older version that
 * was already extended, it copies.
 */
export interface PersistentMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): PersistentMap<Value>
}

/** A value of a key since a version, linked to the value that it replaced. */
interface Written<Value> {
  readonly value: Value
  readonly version: number
  readonly before: Written<Value> | undefined
}

/** The data that all versions share. Nothing is ever removed from it. */
interface Versions<Value> {
  readonly newest: Map<string, Written<Value>>
  version: number
}

/** A map with nothing in it. */
export function emptyMap<Value>(): PersistentMap<Value> {
  return {
    get: () => undefined,
    // Each first `set` starts new data, so that unrelated maps share nothing.
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

/** The value at a version, given the newest one. */
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
