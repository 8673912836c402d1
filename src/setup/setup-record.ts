import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import { PalimpsestError } from '../core/words/errors.ts'
import type { TextChange } from './text-change.ts'

/** A file that `init` changed. */
export interface ChangedFile {
  /** Whose configuration it is: an agent's id, `hooks`, `service` or `palimpsest`. */
  readonly of: string
  readonly file: string
  readonly existed: boolean
  /** The file's text before our change, and after it. */
  readonly original: string
  readonly written: string
  readonly changes: readonly TextChange[]
}

/** What `init` did, so that it can be undone. It holds copies of configuration files, so that only the user may read it. */
export interface SetupRecord {
  readonly version: 1
  /** The address of the gateway that agents are pointed at; null when none is. */
  readonly url: string | null
  readonly at: string
  readonly files: readonly ChangedFile[]
}

const pathSchema = z.array(z.union([z.string(), z.number()]))
const changeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('block'), lines: z.array(z.string()), at: z.enum(['start', 'end']) }),
  z.object({
    kind: z.literal('json'),
    isMarked: z.boolean(),
    values: z.array(
      z
        .object({ path: pathSchema, was: z.unknown().optional(), value: z.unknown() })
        .transform(({ path: at, was, value }) => ({ path: at, was, value })),
    ),
  }),
  z.object({
    kind: z.literal('toml'),
    table: z.string(),
    key: z.string(),
    was: z.string(),
    value: z.string(),
  }),
  z.object({
    kind: z.literal('yaml'),
    path: pathSchema,
    key: z.string(),
    was: z.string().nullable(),
    value: z.string().nullable(),
  }),
  z.object({ kind: z.literal('whole'), text: z.string() }),
])
const schema: z.ZodType<SetupRecord> = z.object({
  version: z.literal(1),
  url: z.url().nullable(),
  at: z.string(),
  files: z.array(
    z.object({
      of: z.string(),
      file: z.string(),
      existed: z.boolean(),
      original: z.string(),
      written: z.string(),
      changes: z.array(changeSchema),
    }),
  ),
})

export function recordFile(home: string): string {
  return path.join(home, 'setup.json')
}

/**
 * undefined when nothing was set up.
 *
 * @throws PalimpsestError with code `configuration` for a record that cannot be read.
 */
export function readRecord(home: string | undefined): SetupRecord | undefined {
  if (home === undefined) return undefined
  let text: string
  try {
    text = readFileSync(recordFile(home), 'utf8')
  } catch {
    return undefined
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new PalimpsestError(
      'configuration',
      `${recordFile(home)} cannot be read. It says what \`palimpsest init\` changed; restore it from a backup, or remove it and undo the changes by hand.`,
      { cause },
    )
  }
}

export function writeRecord(home: string, record: SetupRecord | null): void {
  const file = recordFile(home)
  if (record === null) {
    rmSync(file, { force: true })
    return
  }
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, file)
}
