import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../../../site/build.mjs'
import { projectRoot } from '../../model/project-root.ts'
import { expectNoOverflow, hasBrowser, openBrowser, type VisitOptions, visit } from './browser.ts'

const need = hasBrowser ? '' : ' (skipped: no Chromium, get it with `npm test -- --all`)'
const output = mkdtempSync(path.join(tmpdir(), 'palimpsest site '))
afterAll(() => rmSync(output, { recursive: true, force: true }))

const pages = ['index.html', 'docs/agents.html', 'docs/concepts.html', 'docs/benchmark.html']
const looks = pages.flatMap((page) => [
  [page, 1280, 'light'] as const,
  [page, 390, 'dark'] as const,
])

describe.skipIf(!hasBrowser)(`the documentation site${need}`, { timeout: 60_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    expect(buildSite({ root: projectRoot, output })).toEqual([])
    browser = await openBrowser()
  }, 60_000)
  afterAll(() => browser?.close())

  const open = (page: string, options: VisitOptions) =>
    visit(browser, pathToFileURL(path.join(output, page)).href, options)

  it.each(looks)(
    'shows %s at %i pixels in %s with whole words, and its title first',
    async (page, width, theme) => {
      const seen = await open(page, { width, theme })
      const title = await seen.page.evaluate<number>(
        "document.querySelector('h1').getBoundingClientRect().top",
      )
      // A short word in several lines is broken between its letters.
      const broken = await seen.page.evaluate<string[]>(
        `[...document.querySelectorAll('td code, th code')]
        .filter((code) => /^\\w{1,12}$/.test(code.textContent) && code.getBoundingClientRect().height > 40)
        .map((code) => code.textContent)`,
      )
      await expectNoOverflow(seen.page)
      expect(title).toBeGreaterThan(0)
      expect(title).toBeLessThan(200)
      expect(broken).toEqual([])
      expect(seen.problems).toEqual([])
      await seen.close()
    },
  )

  it('shows the pictures of the concepts whole on a desktop', async () => {
    const seen = await open('docs/concepts.html', { width: 1280 })
    const cut = await seen.page.evaluate<string[]>(
      `[...document.querySelectorAll('pre')]
        .filter((picture) => picture.scrollWidth > picture.clientWidth)
        .map((picture) => picture.textContent)`,
    )
    expect(cut).toEqual([])
    await seen.close()
  })
})
