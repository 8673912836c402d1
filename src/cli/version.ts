import { readFileSync } from 'node:fs'
import * as z from 'zod'

/** From package.json, which is two folders up in the sources and in the package. */
export const version: string = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version
