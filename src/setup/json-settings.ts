import { type FileChange, textOf } from './agent.ts'
import { type JsonUndo, jsonAt } from './json-edit.ts'

type Path = JsonUndo['path']

/** A string in a JSON file; undefined when there is none. */
export function settingIn(file: string, path: Path): string | undefined {
  const value = jsonAt(textOf(file), path)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The names of the members of an object in a JSON file. */
export function namesIn(file: string, path: Path): readonly string[] {
  const value = jsonAt(textOf(file), path)
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

/** A change of values in a JSON file, with what stands there now. */
export function jsonChange(
  file: string,
  values: readonly { readonly path: Path; readonly value: unknown }[],
): FileChange {
  const text = textOf(file)
  const undos = values.map(({ path, value }) => ({ path, value, was: jsonAt(text, path) }))
  const change = { kind: 'json', values: undos, isMarked: file.endsWith('.jsonc') } as const
  return { file, change }
}
