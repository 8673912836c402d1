import * as z from 'zod'
import { configFileSchema } from './schema.ts'

/** The configuration as JSON Schema, for editors. `schema.json` in the package is this. */
export function configJsonSchema(): object {
  const { $schema, ...rest } = z.toJSONSchema(configFileSchema, { io: 'input' })
  return { $schema, title: 'palimpsest.jsonc', ...rest }
}
