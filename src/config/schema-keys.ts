import * as z from 'zod'
import { configFileSchema } from './schema.ts'

/** The keys of the object at a path of the configuration; none when no object belongs there. */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
  let found: readonly z.ZodType[] = alternatives(configFileSchema)
  for (const step of path) {
    found = found.flatMap((schema) => alternatives(inner(schema, step)))
  }
  return found.flatMap((schema) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []))
}

/** The path of every key of the configuration. All items of a list count as one. */
export function allKeys(path: readonly string[] = []): readonly (readonly string[])[] {
  return keysAt(path).flatMap((key) => [[...path, key], ...allKeys([...path, key])])
}

/** The paths of all keys with this name. */
export function pathsOfKey(name: string): readonly (readonly string[])[] {
  return allKeys().filter((path) => path.at(-1) === name)
}

function inner(schema: z.ZodType, step: PropertyKey): unknown {
  if (schema instanceof z.ZodArray) return schema.element
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, step)
    ? schema.shape[String(step)]
    : undefined
}

/** The schemas that a value may match, without the wrappers that make it optional. */
function alternatives(schema: unknown): readonly z.ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return alternatives(schema.unwrap())
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternatives)
  return schema instanceof z.ZodType ? [schema] : []
}
