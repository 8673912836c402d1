import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SessionList } from '../../../src/dashboard/types.ts'
import { storyBodies } from '../../gateway/story.ts'
import { goTo, hasBrowser, openBrowser, type Visit, visit } from './browser.ts'
import { type ServedDashboard, serveDashboard } from './served-dashboard.ts'

const bodies = storyBodies('anthropic', { turns: 24 })

describe.skipIf(!hasBrowser)('a live session', { timeout: 120_000 }, () => {
  let browser: Browser
  let dashboard: ServedDashboard
  let visiting: Visit
  let sessions = 0
  let name = ''

  beforeAll(async () => {
    dashboard = await serveDashboard()
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await dashboard?.stop()
  })
  beforeEach(async () => {
    sessions++
    name = `live-${sessions}`
    visiting = await visit(browser, dashboard.address)
  })
  afterEach(async () => {
    expect(visiting.problems).toEqual([])
    await visiting.close()
  })

  const send = async (from: number, to: number): Promise<void> => {
    for (const body of bodies.slice(from, to)) await dashboard.send(name, body)
  }
  const removedBytes = (at: number): number =>
    Buffer.byteLength(bodies[at] ?? '') - Buffer.byteLength(dashboard.lastSent())

  it('appears and grows without a reload', async () => {
    const { page } = visiting
    await page.getByText('Live').waitFor()
    await goTo(page, 'sessions')
    const rows = page.locator('.sessions tbody tr')
    const before = await rows.count()
    await send(0, 3)
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(before + 1)
    const turns = rows.first().locator('[data-name="Turns"]')
    await expect.poll(() => turns.textContent()).toBe('3')
    await send(3, 5)
    await expect.poll(() => turns.textContent(), { timeout: 20_000 }).toBe('5')
    await rows.first().getByRole('link').click()
    await page.getByText('Context at request 5').waitFor()
    await send(5, 6)
    await page.getByText('Context at request 6').waitFor({ timeout: 20_000 })
  })

  it('has an original back in the next request after a click on Restore', async () => {
    const { page } = visiting
    await send(0, 14)
    await openSession()
    await page.getByRole('button', { name: 'Removed', exact: true }).click()
    await page.getByRole('option').first().click()
    const panel = page.getByRole('complementary')
    const original = await panel.locator('.original pre').textContent()
    const line = JSON.stringify(String(original).split('\n').at(20) ?? '').slice(1, -1)
    expect(line.length).toBeGreaterThan(5)
    const countIn = (text: string): number => text.split(line).length - 1
    const before = countIn(dashboard.lastSent())
    await panel.getByRole('button', { name: 'Restore' }).click()
    await page.locator('.notice').waitFor()
    expect(await page.locator('.notice.bad').count()).toBe(0)
    await send(14, 15)
    expect(countIn(dashboard.lastSent())).toBeGreaterThan(before)
  })

  it('keeps a protected item in full where it would have been replaced', async () => {
    const { page } = visiting
    await send(0, 2)
    await openSession()
    await page.getByRole('button', { name: 'In full' }).click()
    await page.getByRole('option').filter({ hasText: 'result' }).first().click()
    const panel = page.getByRole('complementary')
    const handle = await panel.locator('code').first().textContent()
    await panel.getByRole('button', { name: 'Protect' }).click()
    await panel.getByRole('button', { name: 'Protected' }).waitFor({ timeout: 20_000 })
    await send(2, 20)
    const row = page.getByRole('option').filter({ hasText: String(handle) })
    await page.getByText('Context at request 20').waitFor({ timeout: 20_000 })
    await row.first().waitFor()
    expect(await row.first().locator('.item-line.removed').count()).toBe(0)
  })

  it('is sent unchanged while pruning is paused, and every view says so', async () => {
    const { page } = visiting
    await page.getByRole('switch', { name: 'Pruning' }).click()
    await page.getByText('Pruning is paused for everything.').first().waitFor()
    for (const view of ['sessions', 'memory', 'settings']) {
      await goTo(page, view)
      await page.getByText('Pruning is paused for everything.').first().waitFor()
    }
    await send(0, 12)
    expect(removedBytes(11)).toBe(0)
    await page.getByRole('switch', { name: 'Pruning' }).click()
    await expect.poll(() => page.locator('.pause-banner').count()).toBe(0)
    await send(12, 20)
    expect(removedBytes(19)).toBeGreaterThan(500)
  })

  it('is paused alone, while others are pruned', async () => {
    const { page } = visiting
    await send(0, 2)
    await openSession()
    await page.getByRole('switch', { name: 'This session' }).click()
    await page.getByText('Pruning is paused for this session.').first().waitFor()
    await send(2, 14)
    expect(removedBytes(13)).toBe(0)
    name = 'another'
    await send(0, 14)
    expect(removedBytes(13)).toBeGreaterThan(500)
  })

  it('counts in the overview', async () => {
    const { page } = visiting
    await send(0, 14)
    await goTo(page, '')
    await page.getByText('Saved by day').waitFor()
    await page.getByText('/project').or(page.getByText('unknown')).first().waitFor()
  })

  async function openSession(): Promise<void> {
    const { page } = visiting
    let key: string | undefined
    await expect
      .poll(async () => {
        const answer = await fetch(`${dashboard.url}/palimpsest/api/sessions`)
        const list = (await answer.json()) as SessionList
        key = list.sessions.find(({ id }) => id === name)?.key
        return key
      })
      .toBeDefined()
    await goTo(page, `sessions/${key}`)
    await page.getByText(/^Context at request/).waitFor()
  }
})
