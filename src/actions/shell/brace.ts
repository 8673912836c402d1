/** The maximum number of alternatives to expand. */
const MOST = 256

/** Expands `{a,b}` and `{1..3}` as bash does; null if there is nothing to expand or too much. */
export function expandBraces(text: string): readonly string[] | null {
  if (!text.startsWith('{') || !text.endsWith('}')) return null
  const inner = text.slice(1, -1)
  if (/[$`'"\\*?[]/.test(inner)) return null
  const range = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(inner)
  if (range !== null) return expandRange(range[1]!, range[2]!)
  const choices = splitAlternatives(inner)
  if (choices.length < 2) return null
  const expanded: string[] = []
  for (const choice of choices) {
    const all = expandNested(choice)
    if (all === null || expanded.length + all.length > MOST) return null
    expanded.push(...all)
  }
  return expanded
}

function expandRange(first: string, last: string): readonly string[] | null {
  const from = Number(first)
  const to = Number(last)
  const count = Math.abs(to - from) + 1
  if (count > MOST) return null
  const width =
    /^-?0\d/.test(first) || /^-?0\d/.test(last) ? Math.max(first.length, last.length) : 0
  const step = to < from ? -1 : 1
  return Array.from({ length: count }, (_, index) =>
    String(from + index * step).padStart(width, '0'),
  )
}

function splitAlternatives(inner: string): readonly string[] {
  const choices: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < inner.length; at++) {
    const character = inner[at]
    if (character === '{') depth++
    else if (character === '}') depth--
    else if (character === ',' && depth === 0) {
      choices.push(inner.slice(start, at))
      start = at + 1
    }
  }
  choices.push(inner.slice(start))
  return choices
}

/** Expands one level of nested braces: `src/{a,{b,c}}`. */
function expandNested(choice: string): readonly string[] | null {
  const open = choice.indexOf('{')
  if (open === -1) return [choice]
  const close = choice.indexOf('}', open)
  if (close === -1 || choice.includes('{', open + 1) || choice.includes('}', close + 1)) return null
  const middle = expandBraces(choice.slice(open, close + 1))
  if (middle === null) return null
  return middle.map((text) => choice.slice(0, open) + text + choice.slice(close + 1))
}
