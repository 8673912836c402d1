import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { buildSite } from '../../site/build.mjs'
import { menu } from '../../site/pages.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const scratch = mkdtempSync(path.join(tmpdir(), 'palimpsest site '))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('the documentation site', () => {
  it('has every page, and no link to a page, file or heading that does not exist', () => {
    const output = path.join(scratch, 'site')
    expect(buildSite({ root, output })).toEqual([])
    const start = readFileSync(path.join(output, 'index.html'), 'utf8')
    expect(start).toContain('href="docs/concepts.html"')
    expect(start).toContain('src="docs/images/session.png"')
  })

  it('names links that lead nowhere, and pages that the menu lacks', () => {
    const broken = path.join(scratch, 'broken project')
    for (const [page] of menu.flatMap(({ pages }) => pages)) {
      mkdirSync(path.dirname(path.join(broken, page)), { recursive: true })
      writeFileSync(path.join(broken, page), '# A page\n')
    }
    writeFileSync(
      path.join(broken, 'docs/faq.md'),
      '# Questions\n\n[one](gone.md) [two](concepts.md#gone) [three](concepts.md#a-page) [out](../../x)\n',
    )
    writeFileSync(path.join(broken, 'docs/forgotten.md'), '# Forgotten\n')
    expect(buildSite({ root: broken, output: path.join(scratch, 'broken site') })).toEqual([
      'docs/forgotten.md is not in the menu (site/pages.mjs)',
      'docs/faq.md: gone.md does not exist',
      'docs/faq.md: docs/concepts.md has no heading #gone',
      'docs/faq.md: ../../x does not exist',
    ])
  })
})
