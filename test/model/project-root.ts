import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder, also when this code runs from a bundle below `.cache`. */
export const projectRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)))

function findRoot(folder: string): string {
  const parent = dirname(folder)
  return existsSync(join(folder, 'package-lock.json')) || parent === folder
    ? folder
    : findRoot(parent)
}
