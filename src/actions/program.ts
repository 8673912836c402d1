import { type Token, tokensOf } from './program-tokens.ts'
import { isName, isSign, valueAt } from './program-values.ts'

/** A tool that a program always calls exactly once. */
export interface ProgramCall {
  readonly tool: string
  /** undefined if only running the program would tell. */
  readonly input: unknown
  /** Calls of one step run at the same time. */
  readonly step: number
  /** What the program prints of the result: all of it as JSON, its `output`, or something else. */
  readonly prints: 'result' | 'output' | 'other' | 'nothing'
}

export interface Program {
  readonly calls: readonly ProgramCall[]
  /** True if the program prints only once. */
  readonly printsOnce: boolean
}

/** Indirect uses of `tools`, which are not followed. */
const detours =
  /^(?:eval|Function|globalThis|import|constructor|Reflect|Proxy|with|arguments|AsyncFunction)$/
const conditions =
  /^(?:=>|\?|\?\.|&&|\|\||\?\?|&&=|\|\|=|\?\?=|function|if|else|for|while|do|switch|case|try|catch|finally|class|async|yield|return)$/
const beginsControl = /^(?:if|else|for|while|do|switch|try|catch|finally|with)$/
const unfinished =
  /^(?:await|const|let|var|return|throw|new|typeof|void|delete|else|do|in|of|instanceof|case)$/
const printers = /^(?:text|notify|image|audio|generatedImage|yield_control)$/

const deepest = 40

/**
 * The calls of a program in Codex's code mode: JavaScript in which `tools` has the other tools. null if a call is inside a
 * condition, loop or function or is not awaited, because then it is unknown which calls ran.
 */
export function readProgram(text: string): Program | null {
  const tokens = tokensOf(text)
  const brackets = tokens === null ? null : bracketsIn(tokens)
  if (tokens === null || brackets === null) return null
  const names = namesIn(tokens)
  if (names.some((name) => detours.test(name))) return null
  const inTemplates = namesIn(tokens.flatMap(innerOf))
  if (inTemplates.some((name) => name === 'tools' || detours.test(name))) return null
  return new ProgramReader(tokens, brackets, [...names, ...inTemplates]).read()
}

function namesIn(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(({ kind, text }) => (kind === 'name' ? [text] : []))
}

/** The tokens of a template's expressions, including nested templates. */
function innerOf({ inner = [] }: Token): readonly Token[] {
  return inner.flatMap((token) => [token, ...innerOf(token)])
}

interface Brackets {
  /** The position of the closing bracket, by the position of the opening one. */
  readonly closing: ReadonlyMap<number, number>
  /** The position of the bracket around each token, or -1. */
  readonly around: readonly number[]
}

function bracketsIn(tokens: readonly Token[]): Brackets | null {
  const closing = new Map<number, number>()
  const around: number[] = []
  const open: number[] = []
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === 'sign' && /^[)\]}]$/.test(text)) {
      const start = open.pop()
      if (start === undefined || pairs.get(tokens[start]?.text ?? '') !== text) return null
      closing.set(start, at)
    }
    around.push(open.at(-1) ?? -1)
    if (kind === 'sign' && pairs.has(text)) open.push(at)
    if (open.length > deepest) return null
  }
  return open.length === 0 ? { closing, around } : null
}

const pairs: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])

/** A call in a program, with the positions of `tools` and of its closing bracket. */
interface FoundCall {
  readonly start: number
  readonly end: number
  readonly tool: string
  readonly input: unknown
  readonly step: number
}

class ProgramReader {
  readonly #tokens: readonly Token[]
  readonly #brackets: Brackets
  /** How often each name occurs in the program. */
  readonly #uses = new Map<string, number>()
  readonly #constants = new Map<string, unknown>()
  readonly #calls: FoundCall[] = []
  /** The call whose result a name refers to, and whether it refers to `output` only. */
  readonly #results = new Map<string, { readonly call: number; readonly isOutput: boolean }>()
  readonly #prints = new Map<number, 'result' | 'output'>()
  #printed = 0
  #printsOther = false
  #steps = 0

  constructor(tokens: readonly Token[], brackets: Brackets, names: readonly string[]) {
    this.#tokens = tokens
    this.#brackets = brackets
    for (const name of names) this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1)
  }

  read(): Program | null {
    let start = 0
    for (let at = 0; at <= this.#tokens.length; at += 1) {
      if (at < this.#tokens.length && !this.#endsBefore(start, at)) continue
      if (!this.#statement(start, at)) return null
      start = isSign(this.#tokens[at], ';') ? at + 1 : at
    }
    const last = this.#calls.at(-1)?.start ?? -1
    if (this.#tokens.slice(0, last + 1).some((token) => isName(token, 'exit'))) return null
    const calls = this.#calls.map(({ tool, input, step }, index): ProgramCall => {
      const unread = this.#printsOther ? 'other' : 'nothing'
      return { tool, input, step, prints: this.#prints.get(index) ?? unread }
    })
    return { calls, printsOnce: this.#printed === 1 && !this.#printsOther }
  }

  /** Whether the statement that starts at `start` ends before the token at `at`. */
  #endsBefore(start: number, at: number): boolean {
    if (at === start || this.#brackets.around[at] !== -1) return false
    const token = this.#tokens[at]!
    if (isSign(token, ';')) return true
    const before = this.#tokens[at - 1]!
    if (isSign(before, ';') || !token.startsLine || token.kind !== 'name') return false
    if (isSign(before, '}')) return true
    if (before.kind === 'sign' && !/^[)\]]$/.test(before.text)) return false
    if (before.kind === 'name' && unfinished.test(before.text)) return false
    return !beginsControl.test(this.#tokens[start]!.text)
  }

  #statement(start: number, end: number): boolean {
    const places: number[] = []
    let prints = false
    for (let at = start; at < end; at += 1) {
      const token = this.#tokens[at]!
      const isMember = isSign(this.#tokens[at - 1], '.')
      if (isName(token, 'tools')) places.push(at)
      const names = [token, ...innerOf(token)]
      if (!isMember && names.some(({ kind, text }) => kind === 'name' && printers.test(text)))
        prints = true
    }
    const first = this.#calls.length
    if (places.length > 0 && !this.#callsIn(start, end, places)) return false
    if (places.length === 0) this.#nameConstants(start, end)
    else this.#nameResults(start, end, first)
    if (prints) this.#print(start, end)
    return true
  }

  #callsIn(start: number, end: number, places: readonly number[]): boolean {
    let from = start
    for (const place of places) {
      const call = this.#callAt(place)
      if (call === null || !this.#isPlain(from, place)) return false
      this.#calls.push(call)
      from = call.end
    }
    return this.#isPlain(from, end)
  }

  /** True without conditions and functions, so the code runs exactly once. */
  #isPlain(start: number, end: number): boolean {
    return !this.#tokens
      .slice(start, end)
      .some(({ kind, text }) => (kind === 'sign' || kind === 'name') && conditions.test(text))
  }

  #callAt(start: number): FoundCall | null {
    const tokens = this.#tokens
    const name = tokens[start + 2]
    const close = this.#brackets.closing.get(start + 3)
    const isCall = isSign(tokens[start + 1], '.') && isSign(tokens[start + 3], '(')
    if (!isCall || name?.kind !== 'name' || close === undefined) return null
    const list = this.#awaitedList(start, close)
    if (list === null) return null
    const isNext = list === 'alone' || isSign(tokens[start - 1], '[')
    if (isNext) this.#steps += 1
    const isBare = close === start + 4
    const read = isBare ? null : valueAt(tokens, start + 4, this.#constants)
    const isRead =
      read?.end === close || (isSign(tokens[close - 1], ',') && read?.end === close - 1)
    const input = isBare ? {} : isRead ? read?.value : undefined
    const inside = tokens.slice(start + 4, close)
    if (inside.some((token) => isName(token, 'tools'))) return null
    return { start, end: close, tool: name.text, input, step: this.#steps }
  }

  /** How a call is awaited: by itself, or in the list of `await Promise.all([…])`. */
  #awaitedList(start: number, close: number): 'alone' | 'listed' | null {
    const tokens = this.#tokens
    const after = tokens[close + 1]
    // A member access here would be on the promise, not on the result.
    if (after?.kind === 'template' || /^(?:\.|\?\.|\(|\[)$/.test(signOf(after))) return null
    if (isName(tokens[start - 1], 'await')) return this.#isWrapped(start) ? 'alone' : null
    const open = this.#brackets.around[start] ?? -1
    const head = tokens.slice(Math.max(0, open - 5), open).map(({ text }) => text)
    const isAll = head.join(' ') === 'await Promise . all ('
    const end = this.#brackets.closing.get(open) ?? 0
    if (!isAll || !isSign(tokens[open], '[') || !isSign(tokens[end + 1], ')')) return null
    if (isSign(tokens[end + 2], '.') || isSign(tokens[end + 2], '[')) return null
    const isElement = /^[[,]$/.test(signOf(tokens[start - 1])) && /^[\],]$/.test(signOf(after))
    return isElement && this.#isWrapped(open) ? 'listed' : null
  }

  /** Whether a token is only inside lists and call arguments, not in a block. */
  #isWrapped(place: number): boolean {
    let around = this.#brackets.around[place] ?? -1
    while (around !== -1) {
      if (isSign(this.#tokens[around], '{')) return false
      around = this.#brackets.around[around] ?? -1
    }
    return true
  }

  #nameConstants(start: number, end: number): void {
    if (!isName(this.#tokens[start], 'const')) return
    let at = start + 1
    for (;;) {
      const name = this.#tokens[at]
      if (name?.kind !== 'name' || !isSign(this.#tokens[at + 1], '=')) return
      const read = valueAt(this.#tokens, at + 2, this.#constants)
      if (read === null || read.end > end) return
      const isOver = read.end === end || isSign(this.#tokens[read.end], ',')
      // Any other use of a list or an object may change it.
      const isFixed = typeof read.value !== 'object' || this.#uses.get(name.text) === 2
      if (isOver && isFixed) this.#constants.set(name.text, read.value)
      if (read.end === end || !isOver) return
      at = read.end + 1
    }
  }

  /** `const r = await tools.…`, `const { output } = …` and `const [a, b] = await Promise.all([…])`. */
  #nameResults(start: number, end: number, first: number): void {
    if (!isName(this.#tokens[start], 'const')) return
    const calls = this.#calls.slice(first)
    const target = start + 1
    const closed = this.#brackets.closing.get(target)
    const equals = (closed ?? target) + 1
    const call = calls[0]
    if (call === undefined || !isSign(this.#tokens[equals], '=')) return
    const names = this.#tokens.slice(target + 1, closed ?? target + 1)
    if (isSign(this.#tokens[target], '[')) {
      const isAll = isName(this.#tokens[equals + 2], 'Promise') && equals + 7 === call.start
      const listed = names.filter((token) => !isSign(token, ','))
      if (!isAll || listed.length * 2 - 1 !== names.length) return
      for (const [at, { kind, text }] of listed.entries())
        if (kind === 'name' && at < calls.length)
          this.#results.set(text, { call: first + at, isOutput: false })
      return
    }
    if (calls.length !== 1 || call.start !== equals + 2 || call.end + 1 !== end) return
    const name = this.#tokens[target]!
    if (name.kind === 'name') this.#results.set(name.text, { call: first, isOutput: false })
    else if (names.length === 1 && isName(names[0], 'output'))
      this.#results.set('output', { call: first, isOutput: true })
  }

  #print(start: number, end: number): void {
    this.#printed += 1
    const shown = this.#shownBy(start, end)
    if (shown === null || this.#prints.has(shown.call)) this.#printsOther = true
    else this.#prints.set(shown.call, shown.isOutput ? 'output' : 'result')
  }

  /** The result that a statement `text(…)` prints, if it prints nothing else. */
  #shownBy(
    start: number,
    end: number,
  ): { readonly call: number; readonly isOutput: boolean } | null {
    const tokens = this.#tokens
    const isText = isName(tokens[start], 'text') && isSign(tokens[start + 1], '(')
    if (!isText || this.#brackets.closing.get(start + 1) !== end - 1) return null
    let [from, to] = [start + 2, end - 1]
    const spelled = tokens.slice(from, from + 4).map(({ text }) => text)
    const isJson = spelled.join(' ') === 'JSON . stringify ('
    if (isJson) {
      if (this.#brackets.closing.get(from + 3) !== to - 1) return null
      from += 4
      to -= 1
    }
    const takesOutput = isSign(tokens[to - 2], '.') && isName(tokens[to - 1], 'output')
    if (takesOutput && isJson) return null
    if (takesOutput) to -= 2
    if (to - from === 1) {
      const named = this.#results.get(tokens[from]!.text)
      if (named === undefined || (named.isOutput && (takesOutput || isJson))) return null
      return { call: named.call, isOutput: named.isOutput || takesOutput }
    }
    if (takesOutput && isSign(tokens[from], '(') && this.#brackets.closing.get(from) === to - 1) {
      from += 1
      to -= 1
    }
    // The call in the statement itself is the last one found.
    const call = this.#calls.length - 1
    const { start: own, end: close } = this.#calls[call] ?? {}
    return own === from + 1 && close === to - 1 ? { call, isOutput: takesOutput } : null
  }
}

function signOf(token: Token | undefined): string {
  return token?.kind === 'sign' ? token.text : ''
}
