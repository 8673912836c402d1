import { execFileSync } from 'node:child_process'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundledCommand } from '../../bundled-program.ts'
import { goTo, hasBrowser, openBrowser, seriousFindings, visit } from './browser.ts'
import { type ServedDashboard, serveDashboard } from './served-dashboard.ts'

describe.skipIf(!hasBrowser)('memory in the dashboard', { timeout: 120_000 }, () => {
  let browser: Browser
  let dashboard: ServedDashboard
  let memory: (...args: readonly string[]) => string
  let observe: (line: string) => string

  beforeAll(async () => {
    dashboard = await serveDashboard()
    browser = await openBrowser()
    const command = await bundledCommand()
    const { folder } = dashboard.served
    const store = ['--store', path.join(folder, 'store.db')]
    const run = (args: readonly string[], input?: string): string =>
      execFileSync(process.execPath, [command, 'memory', ...args, ...store], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PALIMPSEST_HOME: folder },
        ...(input === undefined ? {} : { input }),
      })
    memory = (...args) => run(args)
    observe = (line) => run(['observe', '--session', 'said'], line)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await dashboard?.stop()
  })

  it('shows what holds, with what it replaced, and forgets it after a warning', async () => {
    memory('add', 'preference', 'tools', 'package-manager', 'npm')
    memory('add', 'preference', 'tools', 'package-manager', 'pnpm')
    const { page, problems, close } = await visit(browser, dashboard.address)
    await goTo(page, 'memory')
    const item = page.locator('.memory > li').filter({ hasText: 'pnpm' })
    await item.waitFor()
    await item.locator('summary').click()
    await item.locator('.versions').getByText('npm').first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await item.getByRole('button', { name: 'Forget…' }).click()
    await item.getByText('This cannot be undone.').waitFor()
    await item.getByRole('button', { name: 'Keep it' }).click()
    expect(memory('list', '--json')).toContain('pnpm')
    await item.getByRole('button', { name: 'Forget…' }).click()
    await item.getByRole('button', { name: 'Forget it everywhere' }).click()
    await expect.poll(() => item.count()).toBe(0)
    expect(memory('list', '--json')).not.toContain('pnpm')
    expect(problems).toEqual([])
    await close()
  })

  it('lets a person decide between two that contradict each other', async () => {
    for (const [id, text] of [
      ['1', 'never commit to the main branch'],
      ['2', 'always commit to the main branch'],
    ])
      observe(JSON.stringify({ id, role: 'user', text }))
    const { page, problems, close } = await visit(browser, dashboard.address)
    await goTo(page, 'memory')
    const review = page.locator('.review')
    await review.getByText('never commit to the main branch').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await review.getByRole('button', { name: 'The newer replaces it' }).click()
    await expect.poll(() => review.count()).toBe(0)
    const held = page.locator('.memory-text')
    await expect.poll(() => held.filter({ hasText: 'never commit' }).count()).toBe(0)
    expect(await held.filter({ hasText: 'always commit' }).count()).toBe(1)
    expect(problems).toEqual([])
    await close()
  })
})
