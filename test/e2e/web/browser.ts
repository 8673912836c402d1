import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { chromiumArguments, chromiumPath } from '../../../scripts/chromium.mjs'

/** Whether the suites can run; without a browser they are skipped. */
export const hasBrowser: boolean = chromiumPath() !== null

export async function openBrowser(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === null) throw new Error('there is no Chromium')
  return chromium.launch({ executablePath, args: chromiumArguments })
}

export interface Visit {
  readonly page: Page
  /** Errors of the page, of its console and of its policy. */
  readonly problems: readonly string[]
  /** The hosts that the page sent requests to. */
  readonly hosts: ReadonlySet<string>
  close(): Promise<void>
}

export interface VisitOptions {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
}

export const widths = [1280, 390] as const
export const themes = ['light', 'dark'] as const

/** Opens an address in a browser of its own, with its own storage. */
export async function visit(
  browser: Browser,
  address: string,
  { width = 1280, theme = 'light' }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height: width < 700 ? 844 : 900 },
    colorScheme: theme,
  })
  const page = await context.newPage()
  const problems: string[] = []
  const hosts = new Set<string>()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (protocol !== 'data:') hosts.add(host)
  })
  await page.goto(address)
  return { page, problems, hosts, close: () => context.close() }
}

/** Goes to a view of the page that is open, as a click on a link would. */
export async function goTo(page: Page, view: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`)
  await page.locator('main h1').first().waitFor()
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Finding {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe-core calls serious or critical, in words. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // The page's own policy would refuse the script, so that the debugger runs it.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<{ violations: Finding[] }>(
    `axe.run({ runOnly: { type: 'tag', values: ${JSON.stringify(tags)} } })`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

/** Nothing stands out of the window at the side. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const more = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  expect(await page.evaluate<number>(more)).toBeLessThanOrEqual(0)
}
