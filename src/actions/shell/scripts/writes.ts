import { type Names, readExpression, skipSpace, TEMPORARY_MARK } from './expression.ts'

/** What a script in another language does to files, judged by its text. */
export interface ScriptEffects {
  readonly paths: readonly string[]
  /** True if it writes to a path that is not in its text. */
  readonly unknown: boolean
  /** Shell commands that it runs. */
  readonly commands: readonly string[]
}

/** Calls whose first arguments are paths that they write. */
const WRITE_CALL =
  /\b(?:(writeFileSync|writeFile|appendFileSync|appendFile|createWriteStream|outputFileSync|outputFile|outputJsonSync|unlinkSync|truncateSync|Bun\.write|Deno\.writeTextFile(?:Sync)?|fsp?\.rm|fsp?\.unlink|rmSync|os\.remove|os\.unlink|os\.truncate|shutil\.rmtree|to_csv|to_json|savefig|File\.write|file_put_contents)|(renameSync|copyFileSync|cpSync|fsp?\.rename|fsp?\.copyFile|os\.rename|os\.replace|shutil\.(?:copy2?|copyfile|move|copytree)))\(/g
const OPEN_CALL = /(\.)?\bopen(?:Sync)?\(/g
const WRITE_METHOD = /\.(?:write_text|write_bytes|(unlink|touch|rename|symlink_to))\(/g
const RUN_CALL =
  /\b(?:os\.system|os\.popen|subprocess\.(?:run|call|check_call|check_output|Popen|getoutput)|execSync|execFileSync|spawnSync|child_process\.\w+)\(/g
const IN_PLACE = /\binplace\s*=\s*(?:True|1)\b/

/** Reads a Python, JavaScript, Ruby or PHP script. A pure computation has no effects. */
export function readScriptEffects(script: string, args: readonly string[]): ScriptEffects {
  const text = withoutLongStrings(script)
  const names = readNames(text, args)
  const paths = new Set<string>()
  let unknown = /\bfileinput\.(?:input|FileInput)\(/.test(text) && IN_PLACE.test(text)
  const write = (at: number, limit: number): void => {
    const found = readArguments(text, at, names, limit)
    if (found === null) unknown = true
    else for (const path of found) if (!path.includes(TEMPORARY_MARK)) paths.add(path)
  }
  for (const match of text.matchAll(WRITE_CALL)) {
    write(match.index + match[0].length, match[2] === undefined ? 1 : 2)
  }
  for (const match of text.matchAll(WRITE_METHOD)) {
    const receiver = receiverStart(text, match.index)
    // Other objects also have a `rename`, so only known paths count.
    if (
      match[1] !== undefined &&
      (receiver === null || readExpression(text, receiver, names) === null)
    )
      continue
    if (receiver === null) unknown = true
    else write(receiver, 1)
  }
  for (const match of text.matchAll(OPEN_CALL)) {
    const start = match.index + match[0].length
    if (!opensForWriting(text, start, match[1] !== undefined)) continue
    const receiver = match[1] === undefined ? start : receiverStart(text, match.index)
    if (receiver === null) unknown = true
    else write(receiver, 1)
  }
  const commands: string[] = []
  for (const match of text.matchAll(RUN_CALL)) {
    const command = readCommand(text, match.index + match[0].length, names)
    if (command === null) unknown = true
    else commands.push(command)
  }
  return { paths: [...paths], unknown, commands }
}

function readArguments(
  text: string,
  start: number,
  names: Names,
  limit: number,
): readonly string[] | null {
  const found: string[] = []
  let at = start
  for (let count = 0; count < limit; count++) {
    const argument = readExpression(text, at, names)
    if (argument === null) return null
    found.push(...argument.values)
    at = skipSpace(text, argument.end)
    if (text[at] !== ',') break
    at++
  }
  return found
}

/** The mode is the second argument, or the first of a method. The default is reading. */
function opensForWriting(text: string, start: number, method: boolean): boolean {
  const call = text.slice(start, callEnd(text, start))
  const mode = method
    ? /^\s*(?:mode\s*=\s*)?['"]([rwaxbt+]{1,3})['"]/.exec(call)
    : /,\s*(?:mode\s*=\s*)?['"]([rwaxbt+<>]{1,3})['"]/.exec(call)
  return mode !== null && /[wax+>]/.test(mode[1]!)
}

/** Where a call's arguments end: at its closing bracket, or after a limited distance. */
function callEnd(text: string, start: number): number {
  let depth = 0
  const limit = Math.min(text.length, start + 400)
  for (let at = start; at < limit; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && depth-- === 0) return at
  }
  return limit
}

/** Where the expression before a method's dot starts: a variable, or `Path(`. */
function receiverStart(text: string, dot: number): number | null {
  const before = text.slice(Math.max(0, dot - 300), dot)
  const offset = dot - before.length
  const name = /(?<![\w.)\]])[A-Za-z_]\w*$/.exec(before)
  if (name !== null) return offset + name.index
  if (!before.endsWith(')')) return null
  const call = before.lastIndexOf('Path(')
  return call === -1 ? null : offset + call
}

function readCommand(text: string, start: number, names: Names): string | null {
  const at = skipSpace(text, start)
  const command = readExpression(text, at, names)
  if (command === null) return null
  if (text[at] === '[') return command.values.map(quoteWord).join(' ')
  const rest = skipSpace(text, command.end)
  const list = text[rest] === ',' ? skipSpace(text, rest + 1) : rest
  if (text[list] !== '[' || list === rest) return command.values[0] ?? ''
  const args = readExpression(text, list, names)
  return args === null ? null : [...command.values, ...args.values].map(quoteWord).join(' ')
}

function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** Removes long strings, because code inside them does not run. */
function withoutLongStrings(text: string): string {
  const kept: string[] = []
  const quote = /"""|'''|`/g
  let at = 0
  for (let open = quote.exec(text); open !== null; open = quote.exec(text)) {
    const start = open.index + open[0].length
    const close = text.indexOf(open[0], start)
    if (close === -1) break
    const body = text.slice(start, close)
    kept.push(text.slice(at, start), body.includes('\n') || open[0] !== '`' ? '' : body, open[0])
    at = close + open[0].length
    quote.lastIndex = at
  }
  kept.push(text.slice(at))
  return kept.join('')
}

const ASSIGNMENT =
  /^[ \t]*(?:(?:export\s+)?(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s*(?::\s*[\w.[\]]+\s*)?=(?!=)/gm
const LOOP = /\bfor\s*(?:\(\s*)?(?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s+(?:in|of)\b/g
const TEMPORARY =
  /(?:TemporaryDirectory|NamedTemporaryFile|mkdtemp)\([^)\n]{0,200}\)\s+as\s+([A-Za-z_]\w*)/g

/** The variables of a script whose values are strings in its text, or its arguments. */
function readNames(text: string, args: readonly string[]): Names {
  const names = new Map<string, readonly string[]>()
  args.forEach((argument, index) => {
    names.set(`argv[${index}]`, [argument])
  })
  for (const match of text.matchAll(TEMPORARY)) names.set(match[1]!, [TEMPORARY_MARK])
  const bind = (name: string, at: number): void => {
    const values = readExpression(text, at, names)?.values
    // A variable that is assigned several times has all values.
    if (values !== undefined) names.set(name, [...new Set([...(names.get(name) ?? []), ...values])])
  }
  // Statements may also follow a semicolon, as in `python -c`.
  for (const match of text.matchAll(ASSIGNMENT)) bind(match[1]!, match.index + match[0].length)
  for (const match of text.matchAll(/;\s*(?:const |let |var )?([A-Za-z_$][\w$]*)\s*=(?!=)/g)) {
    bind(match[1]!, match.index + match[0].length)
  }
  for (const match of text.matchAll(LOOP)) bind(match[1]!, match.index + match[0].length)
  return names
}
