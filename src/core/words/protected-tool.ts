/** True when the list contains the tool, ignoring case. `*` in a name matches any characters. */
export function namesTool(names: readonly string[], tool: string): boolean {
  if (names.length === 0) return false
  const plain = tool.toLowerCase()
  return names.some((each) => {
    const name = each.toLowerCase()
    return name === plain || (name.includes('*') && matches(name, plain))
  })
}

function matches(pattern: string, tool: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop() ?? ''
  if (!tool.startsWith(first) || !tool.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const found = tool.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= tool.length - last.length
}
