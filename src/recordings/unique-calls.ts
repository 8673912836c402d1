/** What a recorded result belongs to. */
export type SettledCall =
  /** The oldest call of that id that had no result yet. */
  | { readonly kind: 'settled'; readonly call: string; readonly tool: string }
  /** The call has a result already, and no other call of that id waits for one. */
  | { readonly kind: 'repeated'; readonly call: string; readonly tool: string }
  /** No call of that id was recorded. */
  | { readonly kind: 'orphan'; readonly call: string; readonly tool: '' }

interface Issued {
  readonly call: string
  readonly tool: string
}

/**
 * Gives each call of a recording an id of its own. Recorders damage ids (a redactor writes `REDACTED` for many) and some
 * agents count them anew, so that the recorded id does not name one call. The first call keeps the recorded id, the
 * next ones get `~2`, `~3`, …; results settle the calls of an id in the order in which they were made.
 */
export class UniqueCalls {
  readonly #taken = new Set<string>()
  readonly #waiting = new Map<string, Issued[]>()
  readonly #last = new Map<string, Issued>()
  readonly #suffix = new Map<string, number>()

  /** A call was made: the id to use for it. */
  issue(recorded: string, tool: string): string {
    const issued = { call: this.#claim(recorded), tool }
    const waiting = this.#waiting.get(recorded)
    if (waiting) waiting.push(issued)
    else this.#waiting.set(recorded, [issued])
    this.#last.set(recorded, issued)
    return issued.call
  }

  /** A result came: the call that it answers. */
  settle(recorded: string): SettledCall {
    const issued = this.#waiting.get(recorded)?.shift()
    if (issued) return { kind: 'settled', ...issued }
    const last = this.#last.get(recorded)
    if (last) return { kind: 'repeated', ...last }
    return { kind: 'orphan', call: this.#claim(recorded), tool: '' }
  }

  #claim(recorded: string): string {
    const base = recorded === '' ? 'call' : recorded
    let call = base
    let suffix = this.#suffix.get(base) ?? 1
    while (this.#taken.has(call)) {
      suffix += 1
      call = `${base}~${suffix}`
    }
    this.#suffix.set(base, suffix)
    this.#taken.add(call)
    return call
  }
}
