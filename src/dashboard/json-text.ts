import { withoutSecretsIn } from '../core/words/secrets.ts'
import type { Work } from '../replay/work.ts'

/** A value as JSON, without secrets. The lists of a large answer are its properties, so that their elements are written one by one. */
export function* jsonText(value: unknown): Work<string> {
  if (!isPlainObject(value)) return jsonOf(value)
  const properties: string[] = []
  for (const [name, property] of Object.entries(value)) {
    yield
    if (property === undefined) continue
    const text = Array.isArray(property) ? yield* listText(property) : jsonOf(property)
    properties.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${properties.join(',')}}`
}

function* listText(list: readonly unknown[]): Work<string> {
  const elements: string[] = []
  for (const element of list) {
    yield
    elements.push(jsonOf(element))
  }
  return `[${elements.join(',')}]`
}

function jsonOf(value: unknown): string {
  return JSON.stringify(withoutSecretsIn(value)) ?? 'null'
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
