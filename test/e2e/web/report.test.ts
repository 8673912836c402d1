import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundledCommand } from '../../bundled-program.ts'
import { storyBodies } from '../../gateway/story.ts'
import {
  expectNoOverflow,
  goTo,
  hasBrowser,
  openBrowser,
  seriousFindings,
  visit,
} from './browser.ts'
import { sample, serveDashboard } from './served-dashboard.ts'

describe.skipIf(!hasBrowser)('a report', { timeout: 120_000 }, () => {
  let browser: Browser
  let folder = ''
  let command = ''

  beforeAll(async () => {
    browser = await openBrowser()
    command = await bundledCommand()
    folder = mkdtempSync(path.join(tmpdir(), 'palimpsest report '))
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const write = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [command, 'report', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PALIMPSEST_HOME: folder },
    })
  const address = (name: string): string => pathToFileURL(path.join(folder, name)).href

  it('of a recording opens without a server, at its session, with every view', async () => {
    expect(write(sample, '-o', 'one.html')).toMatch(/^wrote one.html: 1 session, \d\.\d MB\n$/)
    expect(statSync(path.join(folder, 'one.html')).mode & 0o077).toBe(0)
    const { page, problems, close } = await visit(browser, address('one.html'), { width: 390 })
    const views = [
      ['sessions/1', 'Context at request 45'],
      ['sessions/1/files', 'src/summary.js'],
      ['sessions/1/files?file=/home/dev/tally/src/summary.js', 'Version 1 against version 4'],
      ['sessions/1/money', 'Dollars so far'],
      ['sessions/1/compare', 'balanced · economic'],
    ] as const
    await page.getByText('Context at request 45').waitFor()
    for (const [view, text] of views) {
      await goTo(page, view)
      await page.getByText(text).first().waitFor()
      expect([view, await seriousFindings(page)]).toEqual([view, []])
      await expectNoOverflow(page)
    }
    await goTo(page, 'sessions/1')
    await page.getByLabel('Search').fill('duration_ms')
    await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(0)
    await page.getByRole('option').first().click()
    await page.locator('.original').waitFor()
    expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
    expect(problems).toEqual([])
    await close()
  })

  it('of a folder lists its sessions, and skips what is no recording', async () => {
    mkdirSync(path.join(folder, 'recordings', 'below'), { recursive: true })
    copyFileSync(sample, path.join(folder, 'recordings', 'below', 'one.json'))
    writeFileSync(path.join(folder, 'recordings', 'notes.txt'), 'no recording')
    expect(JSON.parse(write('recordings', '-o', 'all.html', '--json'))).toMatchObject({
      sessions: ['ses_00000000000000000000000001'],
    })
    const { page, close } = await visit(browser, address('all.html'))
    await page.getByText('Three tests fail in this project').first().waitFor()
    await close()
  })

  it('of a session of the store shows what was sent', async () => {
    const dashboard = await serveDashboard()
    try {
      for (const body of storyBodies('anthropic', { turns: 12 })) await dashboard.send('kept', body)
      await dashboard.serving.end('SIGTERM')
      write('kept', '--store', path.join(dashboard.served.folder, 'store.db'), '-o', 'kept.html')
    } finally {
      await dashboard.stop()
    }
    const { page, close } = await visit(browser, address('kept.html'))
    await page.getByText(/^Context at request 1[23]$/).waitFor()
    await page.getByRole('button', { name: 'Removed', exact: true }).click()
    await page.getByRole('option').first().waitFor()
    await close()
  })

  it('of something that does not exist is refused with what to do', () => {
    expect(() => write('no-such-thing')).toThrow(/there is no store|neither a file nor a session/)
  })
})
