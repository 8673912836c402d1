/** The call that a recorded result belongs to. */
export type SettledCall =
  /** The oldest call with that id and no result yet. */
  | { readonly kind: 'settled'; readonly call: string; readonly tool: string }
  /** All calls with that id already have a result. */
  | { readonly kind: 'repeated'; readonly call: string; readonly tool: string }
  /** There is no call with that id. */
  | { readonly kind: 'orphan'; readonly call: string; readonly tool: '' }

interface Issued {
  readonly call: string
  readonly tool: string
}

/**
 * Gives each call of a recording a unique id, because recorded ids can repeat: redaction writes `REDACTED` for many, and
 * some agents restart their counter. The first call keeps the recorded id, the next ones get `~2`, `~3`, …; results
 * answer the calls with the same recorded id in order.
 */
export class UniqueCalls {
  readonly #taken = new Set<string>()
  readonly #waiting = new Map<string, Issued[]>()
  readonly #last = new Map<string, Issued>()
  readonly #suffix = new Map<string, number>()

  /** Registers a call and returns its unique id. */
  issue(recorded: string, tool: string): string {
    const issued = { call: this.#claim(recorded), tool }
    const waiting = this.#waiting.get(recorded)
    if (waiting) waiting.push(issued)
    else this.#waiting.set(recorded, [issued])
    this.#last.set(recorded, issued)
    return issued.call
  }

  /** Returns the call that a result answers. */
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
