import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The file below a folder that was written last, of those whose path fits; null when there is none. */
export function newestFile(folder: string, fits: RegExp): string | null {
  if (!existsSync(folder)) return null
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => fits.test(path))
  const newestFirst = found.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  return newestFirst[0] ?? null
}
