import * as z from 'zod'
import type { ToolMapping } from '../actions/index.ts'

/** What the files may say; every key is optional there. */
export interface ConfigFile {
  readonly tools?: readonly ToolMapping[] | undefined
}

/** What the program works with. */
export interface Config {
  /** How the user's own tools are read; see `actionOf`. */
  readonly tools: readonly ToolMapping[]
}

export const defaultConfig: Config = { tools: [] }

const key = z.string().min(1).optional()

const toolMapping = z.strictObject({
  tool: z.string().min(1),
  as: z.enum([
    'read',
    'write',
    'edit',
    'patch',
    'shell',
    'search',
    'glob',
    'fetch',
    'list',
    'task',
    'other',
  ]),
  path: key,
  start: key,
  end: key,
  offset: key,
  limit: key,
  content: key,
  oldText: key,
  newText: key,
  all: key,
  edits: key,
  patch: key,
  command: key,
  workdir: key,
  pattern: key,
  include: key,
  url: key,
  query: key,
  tasks: key,
  description: key,
  prompt: key,
})

const file = z.strictObject({ tools: z.array(toolMapping).optional() })

export const configFileSchema: z.ZodType<ConfigFile> = file

/** The keys that may stand in the object at a path of the configuration, or none when no object belongs there. */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
  let schema: unknown = file
  for (const step of path) {
    const inner = unwrapped(schema)
    if (inner instanceof z.ZodArray) schema = inner.element
    else if (inner instanceof z.ZodObject) schema = inner.shape[String(step)]
    else return []
  }
  const target = unwrapped(schema)
  return target instanceof z.ZodObject ? Object.keys(target.shape) : []
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema
}
