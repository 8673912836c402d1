import { lstatSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import * as z from 'zod'
import { realPath } from '../config/trusted-folders.ts'
import type { ExportFormat } from '../memory/operations/operation.ts'
import { appendPrivateLine, readPrivateLines } from '../store/private-json-lines.ts'

/**
 * An export that this user made on this machine. The store only says where an export went, and anybody may have written the
 * store; what stands here was written by `memory export` of this user.
 */
export interface RegisteredExport {
  /** Chosen at random: who writes a store does not know it. */
  readonly id: string
  /** Without links on the way. */
  readonly path: string
  readonly format: ExportFormat
  readonly project: string
  /** The names of the files, where `path` is a folder. */
  readonly files: readonly string[]
  /** null where the platform has no user numbers. */
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

/** The path by the real names of the folders on the way; what it names may itself be a link. */
export function pathWithoutLinks(target: string): string {
  const { dir, base } = path.parse(path.resolve(target))
  return path.join(realPath(dir), base)
}

/** True for a file of this user that is no link, device or folder. */
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
