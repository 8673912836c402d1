import {
  type AwaitExpression,
  type CallExpression,
  type Expression,
  type Node,
  type Program as ProgramNode,
  parse,
  type VariableDeclaration,
} from 'acorn'
import { isMember, knownValue, nameOf } from './code-mode-values.ts'

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
const detours = /^(?:eval|Function|globalThis|constructor|Reflect|Proxy|arguments|AsyncFunction)$/
const detourNodes = /^(?:WithStatement|ImportExpression|MetaProperty)$/
/** Nodes whose parts may not run, or run several times. */
const conditions =
  /^(?:Conditional|Logical|Chain|Function|ArrowFunction|Class|Yield)Expression$|^AssignmentPattern$/
const printers = /^(?:text|notify|image|audio|generatedImage|yield_control)$/

/**
 * The calls of a program in Codex's code mode: JavaScript in which `tools` has the other tools. null if a call is inside a
 * condition, loop or function or is not awaited, because then it is unknown which calls ran.
 */
export function readProgram(text: string): Program | null {
  try {
    const root = parse(text, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
    })
    return new ProgramReader(root).read()
  } catch {
    // A syntax error, or a program that is nested too deeply.
    return null
  }
}

interface FoundCall {
  readonly node: CallExpression
  readonly tool: string
  readonly input: unknown
  readonly step: number
}

interface ShownResult {
  readonly call: number
  /** Whether it is only the `output` of the result. */
  readonly isOutput: boolean
}

class ProgramReader {
  readonly #root: ProgramNode
  /** How often each name occurs in the program. */
  readonly #uses = new Map<string, number>()
  readonly #constants = new Map<string, unknown>()
  readonly #calls: FoundCall[] = []
  /** The results that names refer to. */
  readonly #results = new Map<string, ShownResult>()
  readonly #prints = new Map<number, 'result' | 'output'>()
  #printed = 0
  #printsOther = false
  #steps = 0

  constructor(root: ProgramNode) {
    this.#root = root
  }

  read(): Program | null {
    for (const node of nodesIn(this.#root)) {
      const name = nameOf(node)
      if (detourNodes.test(node.type) || (name !== null && detours.test(name))) return null
      if (name !== null) this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1)
    }
    for (const statement of this.#root.body) if (!this.#statement(statement)) return null
    const last = this.#calls.at(-1)?.node.start ?? -1
    for (const node of nodesIn(this.#root))
      if (nameOf(node) === 'exit' && node.start < last) return null
    const calls = this.#calls.map(({ tool, input, step }, index): ProgramCall => {
      const unread = this.#printsOther ? 'other' : 'nothing'
      return { tool, input, step, prints: this.#prints.get(index) ?? unread }
    })
    return { calls, printsOnce: this.#printed === 1 && !this.#printsOther }
  }

  #statement(statement: Node): boolean {
    const first = this.#calls.length
    const uses = nodesIn(statement).filter((node) => nameOf(node) === 'tools').length
    if (uses > 0) {
      const isPlain = statement.type === 'ExpressionStatement' || isDeclaration(statement)
      if (!isPlain || !childrenOf(statement).every((child) => this.#take(child))) return false
      if (this.#calls.length - first !== uses) return false
    }
    if (isDeclaration(statement) && statement.kind === 'const') {
      if (uses === 0) this.#nameConstants(statement)
      else this.#nameResults(statement, first)
    }
    if (printsIn(statement)) this.#print(statement)
    return true
  }

  /** Takes the awaited calls in an expression; false if a part of it may not run exactly once. */
  #take(node: Node): boolean {
    if (conditions.test(node.type) || isConditionalAssignment(node)) return false
    // Calls in objects and templates are not followed; a `tools` in them is then not counted as a call.
    if (/^(?:ObjectExpression|ObjectPattern|TemplateLiteral)$/.test(node.type)) return true
    if (isAwait(node)) {
      const listed = allIn(node)
      const awaited = listed ?? [node.argument]
      if (awaited.some((each) => each !== null && toolOf(each) !== null)) this.#steps += 1
      return awaited.every((each) => each === null || this.#addCall(each) || this.#take(each))
    }
    return childrenOf(node).every((child) => this.#take(child))
  }

  #addCall(node: Node): boolean {
    const tool = toolOf(node)
    if (tool === null) return false
    const call = node as CallExpression
    const [only, ...others] = call.arguments
    const read = only === undefined ? { value: {} } : knownValue(only, this.#constants)
    const input = others.length === 0 ? read?.value : undefined
    this.#calls.push({ node: call, tool, input, step: this.#steps })
    return true
  }

  #nameConstants({ declarations }: VariableDeclaration): void {
    for (const { id, init } of declarations) {
      const name = nameOf(id)
      const read = name === null ? null : knownValue(init ?? null, this.#constants)
      if (name === null || read === null) return
      // Any other use of a list or an object may change it.
      if (typeof read.value !== 'object' || this.#uses.get(name) === 2)
        this.#constants.set(name, read.value)
    }
  }

  /** `const r = await tools.…`, `const { output } = …` and `const [a, b] = await Promise.all([…])`. */
  #nameResults({ declarations }: VariableDeclaration, first: number): void {
    const [only, ...others] = declarations
    if (only === undefined || others.length > 0 || !isAwait(only.init)) return
    const { id } = only
    if (id.type === 'ArrayPattern') {
      const listed = allIn(only.init) ?? []
      for (const [at, element] of id.elements.entries()) {
        const call = this.#calls.findIndex(
          ({ node }, index) => index >= first && node === listed[at],
        )
        const name = nameOf(element)
        if (name !== null && call !== -1) this.#results.set(name, { call, isOutput: false })
      }
      return
    }
    if (only.init.argument !== this.#calls[first]?.node) return
    if (id.type === 'Identifier') this.#results.set(id.name, { call: first, isOutput: false })
    if (id.type !== 'ObjectPattern' || id.properties.length !== 1) return
    const [property] = id.properties
    if (property?.type === 'Property' && property.shorthand && nameOf(property.value) === 'output')
      this.#results.set('output', { call: first, isOutput: true })
  }

  #print(statement: Node): void {
    this.#printed += 1
    const shown = this.#shownBy(statement)
    if (shown === null || this.#prints.has(shown.call)) this.#printsOther = true
    else this.#prints.set(shown.call, shown.isOutput ? 'output' : 'result')
  }

  /** The result that a statement `text(…)` prints, if it prints nothing else. */
  #shownBy(statement: Node): ShownResult | null {
    const [expression] = statement.type === 'ExpressionStatement' ? childrenOf(statement) : []
    const printed = argumentOf(expression, (callee) => nameOf(callee) === 'text')
    if (printed === null) return null
    const json = argumentOf(printed, (callee) => isMember(callee, 'JSON', 'stringify'))
    const value = json ?? printed
    const takesOutput =
      value.type === 'MemberExpression' && !value.computed && nameOf(value.property) === 'output'
    if (takesOutput && json !== null) return null
    const result = takesOutput ? value.object : value
    if (isAwait(result)) {
      // The call in the statement itself is the last one found.
      const call = this.#calls.length - 1
      return result.argument === this.#calls[call]?.node ? { call, isOutput: takesOutput } : null
    }
    const named = this.#results.get(nameOf(result) ?? '')
    if (named === undefined || (named.isOutput && (takesOutput || json !== null))) return null
    return { call: named.call, isOutput: named.isOutput || takesOutput }
  }
}

/** The name of the tool that an expression `tools.name(…)` calls. */
function toolOf(node: Node): string | null {
  const { callee, optional } = node as CallExpression
  if (node.type !== 'CallExpression' || optional || callee.type !== 'MemberExpression') return null
  const isOwn = !callee.computed && !callee.optional && nameOf(callee.object) === 'tools'
  return isOwn ? nameOf(callee.property) : null
}

/** The elements of the list in `await Promise.all([…])`. */
function allIn({ argument }: AwaitExpression): readonly (Node | null)[] | null {
  const list = argumentOf(argument, (callee) => isMember(callee, 'Promise', 'all'))
  return list?.type === 'ArrayExpression' ? list.elements : null
}

/** The only argument of a call. */
function argumentOf(
  node: Node | undefined,
  isCallee: (callee: Node) => boolean,
): Expression | null {
  if (node?.type !== 'CallExpression') return null
  const { callee, arguments: given } = node as CallExpression
  const [only] = given
  const isOnly = given.length === 1 && only !== undefined && only.type !== 'SpreadElement'
  return isOnly && isCallee(callee) ? only : null
}

/** Whether a statement prints; names of members do not count. */
function printsIn(node: Node): boolean {
  if (printers.test(nameOf(node) ?? '')) return true
  const children = childrenOf(node)
  const isPlainMember = node.type === 'MemberExpression' && nameOf(children[1]) !== null
  return (isPlainMember ? children.slice(0, 1) : children).some(printsIn)
}

function isDeclaration(node: Node): node is VariableDeclaration {
  return node.type === 'VariableDeclaration'
}

function isAwait(node: Node | null | undefined): node is AwaitExpression {
  return node?.type === 'AwaitExpression'
}

function isConditionalAssignment(node: Node): boolean {
  return node.type === 'AssignmentExpression' && 'operator' in node
    ? /^(?:&&|\|\||\?\?)=$/.test(String(node.operator))
    : false
}

/** A node and all nodes in it, in the order of the program. */
function nodesIn(node: Node): readonly Node[] {
  const nodes: Node[] = []
  const open = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    nodes.push(next)
    open.push(...childrenOf(next).toReversed())
  }
  return nodes
}

function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = []
  for (const value of Object.values(node) as readonly unknown[]) {
    for (const each of Array.isArray(value) ? value : [value]) {
      // A shorthand property has the same node as its key and its value.
      if (isNode(each) && each !== children.at(-1)) children.push(each)
    }
  }
  return children
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
