import { lstatSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import * as z from 'zod'
import { realPath } from '../config/trusted-folders.ts'
import type { ExportFormat } from '../memory/operations/operation.ts'
import { appendPrivateLine, readPrivateLines } from '../store/private-json-lines.ts'

/**
 * An export that this user made on this machine. The registry is private, while the store's list of exports may come
 * from anybody.
 */
export interface RegisteredExport {
  /** Random, so that the author of a store cannot guess it. */
  readonly id: string
  /** With links resolved. */
  readonly path: string
  readonly format: ExportFormat
  readonly project: string
  /** The names of the files when `path` is a folder. */
  readonly files: readonly string[]
  /** null on platforms without user ids. */
  readonly user: number | null
  readonly machine: string
}

const schema: z.ZodType<RegisteredExport> = z.object({
  id: z.string(),
  path: z.string(),
  format: z.enum(['jsonl', 'markdown', 'adr']),
  project: z.string(),
  files: z.array(z.string()),
  user: z.number().nullable(),
  machine: z.string(),
})

export function registerExport(
  home: string,
  made: Omit<RegisteredExport, 'user' | 'machine'>,
): void {
  appendPrivateLine(registryIn(home), { ...made, ...maker() })
}

/** The exports that this user made on this machine, by their ids. */
export function registeredExports(home: string | undefined): ReadonlyMap<string, RegisteredExport> {
  const found = new Map<string, RegisteredExport>()
  if (home === undefined) return found
  const { user, machine } = maker()
  for (const line of readPrivateLines(registryIn(home))) {
    const made = schema.safeParse(line).data
    if (made?.user === user && made.machine === machine) found.set(made.id, made)
  }
  return found
}

/** Resolves links in the folders of a path, but not the last part. */
export function pathWithoutLinks(target: string): string {
  const { dir, base } = path.parse(path.resolve(target))
  return path.join(realPath(dir), base)
}

/** True for a regular file of this user. */
export function isOwnFile(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false })
  const user = process.getuid?.()
  return found?.isFile() === true && (user === undefined || found.uid === user)
}

function registryIn(home: string): string {
  return path.join(home, 'exports.jsonl')
}

function maker(): Pick<RegisteredExport, 'user' | 'machine'> {
  return { user: process.getuid?.() ?? null, machine: hostname() }
}
