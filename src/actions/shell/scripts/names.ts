import { type Names, readExpression, TEMPORARY_MARK } from './expression.ts'

const ASSIGNMENT =
  /^[ \t]*(?:(?:export\s+)?(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s*(?::\s*[\w.[\]]+\s*)?=(?!=)/gm
const LOOP = /\bfor\s*(?:\(\s*)?(?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s+(?:in|of)\b/g
const TEMPORARY =
  /(?:TemporaryDirectory|NamedTemporaryFile|mkdtemp)\([^)\n]{0,200}\)\s+as\s+([A-Za-z_]\w*)/g

/** The variables of a script whose values are strings in its text, or its arguments. */
export function readNames(text: string, args: readonly string[]): Names {
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
