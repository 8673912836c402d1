import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { PalimpsestError } from '../core/words/errors.ts'

/** The built pages of the dashboard. */
export interface PageFiles {
  /** A file in their folder, such as `assets/app.js`; null when it does not exist. */
  read(name: string): Buffer | null
  /** The names of the page's script and stylesheet. */
  readonly script: string
  readonly styles: string
}

/** The path under which the gateway serves the page's files. */
export const pagesPath = '/palimpsest/pages'

const notBuilt =
  "the dashboard's pages are missing from this package: run `npm run build` in a checkout"
const safeName = /^(?:assets\/)?[\w-]+(?:\.[\w-]+)*\.(?:js|css|svg|html)$/

/** @throws PalimpsestError with code `unreadable` when the pages were not built. */
export function openPageFiles(): PageFiles {
  // From `dist/chunks` or `dist/cli` in the package, and from the sources in a checkout.
  const places = ['../web', '../../dist/web'].map((each) => path.join(import.meta.dirname, each))
  const folder = places.find((each) => existsSync(path.join(each, 'index.html')))
  if (folder === undefined) throw new PalimpsestError('unreadable', notBuilt)
  const page = readFileSync(path.join(folder, 'index.html'), 'utf8')
  return {
    script: nameIn(page, /<script [^>]*src="\/palimpsest\/pages\/([^"]+)"/),
    styles: nameIn(page, /<link rel="stylesheet"[^>]* href="\/palimpsest\/pages\/([^"]+)"/),
    read(name) {
      const file = path.join(folder, name)
      return safeName.test(name) && existsSync(file) ? readFileSync(file) : null
    },
  }
}

function nameIn(page: string, pattern: RegExp): string {
  const found = pattern.exec(page)?.[1]
  if (found === undefined)
    throw new PalimpsestError('unreadable', "the dashboard's page names no script or stylesheet")
  return found
}
