import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isShortRun } from '../installed-client.ts'
import {
  expectNoOverflow,
  goTo,
  hasBrowser,
  openBrowser,
  seriousFindings,
  themes,
  type Visit,
  visit,
  widths,
} from './browser.ts'
import { type ServedDashboard, sample, serveDashboard } from './served-dashboard.ts'

/** Each view with a text that only it has once it is read. */
const views: readonly (readonly [view: string, text: string])[] = [
  ['', 'No requests'],
  ['sessions', 'Three tests fail in this project'],
  ['sessions/1', 'Context at request 45'],
  ['sessions/1?at=30&with=20', 'Request 20 against request 30'],
  ['sessions/1/files', 'src/summary.js'],
  ['sessions/1/files?file=/home/dev/tally/src/summary.js', 'Version 1 against version 4'],
  ['sessions/1/money', 'Dollars so far'],
  ['sessions/1/compare', 'balanced · economic'],
  ['memory', 'Memory'],
  ['compare', 'balanced · economic'],
  ['settings', 'ANTHROPIC_BASE_URL'],
  ['nowhere', 'There is no such page'],
]

describe.skipIf(!hasBrowser)('the views of the dashboard', { timeout: 180_000 }, () => {
  let browser: Browser
  let dashboard: ServedDashboard

  beforeAll(async () => {
    dashboard = await serveDashboard('--load', sample)
    browser = await openBrowser()
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await dashboard?.stop()
  })

  describe.each(widths)('at %i px', (width) => {
    // A short run sees each width and each theme once.
    const shown = isShortRun ? [themes[widths.indexOf(width)] ?? 'light'] : themes
    it.each(shown)('show the sample session, %s', async (theme) => {
      const { page, problems, hosts, close } = await visit(browser, dashboard.address, {
        width,
        theme,
      })
      for (const [view, text] of views) {
        await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`)
        await page.getByText(text).first().waitFor({ timeout: 30_000 })
        expect([view, await seriousFindings(page)]).toEqual([view, []])
        await expectNoOverflow(page)
      }
      expect(problems).toEqual([])
      expect([...hosts]).toEqual([new URL(dashboard.url).host])
      await close()
    })
  })

  it('are read by keyboard alone: the scrubber, the list, and an item in it', async () => {
    const { page, close } = await opened('sessions/1')
    await page.getByRole('slider', { name: 'Request' }).focus()
    await page.keyboard.press('Home')
    await page.getByText('Context at request 1', { exact: true }).waitFor()
    await page.keyboard.press('End')
    await page.getByText('Context at request 45').waitFor()
    await page.getByRole('listbox').focus()
    for (const key of ['End', 'ArrowUp', 'PageUp', 'Home', 'ArrowDown'])
      await page.keyboard.press(key)
    const chosen = page.getByRole('option', { selected: true })
    await expect.poll(() => chosen.getAttribute('aria-posinset')).toBe('2')
    await page.getByRole('complementary').getByText('Original').first().waitFor()
    await close()
  })

  it('jump from the heaviest item to its original, and from a removed one to what replaced it', async () => {
    const { page, close } = await opened('sessions/1')
    await page.getByRole('button', { name: 'Heaviest' }).click()
    await page.getByRole('option').first().click()
    const panel = page.getByRole('complementary')
    await panel.getByText('shows it in full').waitFor()
    await page.getByRole('button', { name: 'Removed', exact: true }).click()
    await page.getByRole('option').first().click()
    await panel.getByText('Sent instead at request 45').waitFor()
    await panel.getByRole('button', { name: /what replaced it|where it stands/ }).click()
    await panel.getByText('Replaces', { exact: true }).waitFor()
    await close()
  })

  it('find a word that stands deep in an original', async () => {
    const { page, close } = await opened('sessions/1')
    await page.getByLabel('Search').fill('duration_ms')
    await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(0)
    await page.getByLabel('Search').fill('no such word anywhere')
    await page.getByText('Nothing matches').waitFor()
    await close()
  })

  it('change nothing without the token', async () => {
    const { page, close } = await visit(browser, `${dashboard.url}/`)
    await page.getByText('read-only').waitFor()
    expect(await page.getByRole('switch', { name: 'Pruning' }).first().isDisabled()).toBe(true)
    const status = await page.evaluate<number>(
      `fetch('/palimpsest/api/pause', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"paused":true}' }).then((answer) => answer.status)`,
    )
    expect(status).toBe(401)
    await close()
  })

  it('open on a gateway that requires its token for everything, and may change things there', async () => {
    const token = 'a-token-of-the-test'
    const guarded = await serveDashboard('--token', token)
    try {
      const { page, problems, close } = await visit(
        browser,
        `${guarded.url}/?palimpsest-token=${token}#token=${token}`,
      )
      await page.getByText('No requests').waitFor()
      expect(page.url()).toBe(`${guarded.url}/#/`)
      await page.getByRole('switch', { name: 'Pruning' }).click()
      await page.getByText('Pruning is paused for everything.').first().waitFor()
      expect(problems).toEqual([])
      await close()
      expect((await fetch(`${guarded.url}/`)).status).toBe(401)
      expect((await fetch(`${guarded.url}/palimpsest/api/sessions`)).status).toBe(401)
    } finally {
      await guarded.stop()
    }
  })

  it('say that the gateway is gone, and that it is back', async () => {
    const { page, close } = await opened('sessions')
    await page.route('**/palimpsest/api/**', (route) => route.abort())
    await goTo(page, 'settings')
    await page.getByText('No connection').waitFor()
    await page.unroute('**/palimpsest/api/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('ANTHROPIC_BASE_URL').first().waitFor()
    await close()
  })

  async function opened(view: string): Promise<Visit> {
    const visiting = await visit(browser, dashboard.address)
    await goTo(visiting.page, view)
    return visiting
  }
})
