import { readFileSync } from 'node:fs'
import * as z from 'zod'

/** From package.json, which lies two folders up from here in the sources and in the package alike. */
export const version: string = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version
