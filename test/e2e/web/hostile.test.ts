import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundledCommand } from '../../bundled-program.ts'
import { goTo, hasBrowser, openBrowser, visit } from './browser.ts'
import { type ServedDashboard, serveDashboard } from './served-dashboard.ts'

/** What a hostile page, log or file could say to whoever looks at it. */
const hostile = [
  '<script>window.owned = 1</script></script><script>owned = 1</script>',
  '<img src=x onerror="window.owned = 2"><svg onload="window.owned = 3"><animate onbegin=owned=4>',
  '<a href="javascript:window.owned=5">javascript:window.owned=5</a> {{constructor.constructor("owned=6")()}}',
  '--></title></textarea></style></pre><iframe srcdoc="<script>parent.owned=7</script>"></iframe>',
  '\u001b[2J\u001b]0;owned\u0007\u001b[31mred\u001b[0m',
  'user\u202Egnp.exe\u202C \u2066hidden\u2069 zero\u200Bwidth',
  '</script><meta http-equiv="refresh" content="0;url=http://owned.test/">',
  'http://owned.test/track.png "\' onmouseover=owned=8 \\u003cscript\\u003e',
].join('\n')

function recording(): string {
  const said = (content: unknown, role: string, at: number, uuid: string): string =>
    JSON.stringify({
      type: role,
      uuid,
      sessionId: 'hostile-<b>session</b>',
      cwd: '/project/<img src=x onerror=owned=9>',
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
      message:
        role === 'user'
          ? { role, content }
          : { role, id: `msg_${at}`, model: 'claude-sonnet-4-5', content },
    })
  const lines = [said(hostile, 'user', 0, 'a')]
  for (let turn = 1; turn <= 4; turn++) {
    const input = { file_path: `/project/<script>owned=10</script>${turn % 2}.ts` }
    const id = `toolu_${turn}`
    const call = { type: 'tool_use', id, name: 'Read', input }
    const content = Array.from({ length: 40 }, (_, n) => `${n + 1}\t${hostile}`).join('\n')
    lines.push(said([{ type: 'text', text: hostile }, call], 'assistant', 2 * turn, `b${turn}`))
    lines.push(
      said([{ type: 'tool_result', tool_use_id: id, content }], 'user', 2 * turn + 1, `c${turn}`),
    )
  }
  lines.push(said([{ type: 'text', text: hostile }], 'assistant', 20, 'd'))
  return `${lines.join('\n')}\n`
}

describe.skipIf(!hasBrowser)('hostile content', { timeout: 120_000 }, () => {
  let browser: Browser
  let dashboard: ServedDashboard
  let folder = ''
  let file = ''

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-hostile-'))
    file = path.join(folder, 'hostile.jsonl')
    writeFileSync(file, recording())
    dashboard = await serveDashboard('--load', file)
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await dashboard?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function lookEverywhere(page: Page): Promise<void> {
    for (const view of ['sessions', 'sessions/1', 'sessions/1/files', 'sessions/1/money']) {
      await goTo(page, view)
      await page.waitForTimeout(300)
    }
    await goTo(page, 'sessions/1')
    const count = await page.getByRole('option').count()
    for (let at = 0; at < Math.min(count, 8); at++) {
      await page.getByRole('option').nth(at).click()
      await page.locator('.original').waitFor()
    }
    expect(await page.evaluate('window.owned')).toBeUndefined()
    expect(await page.locator('main script, main iframe, main img, main meta').count()).toBe(0)
  }

  it('stays text in the dashboard', async () => {
    const { page, problems, hosts, close } = await visit(browser, dashboard.address)
    await lookEverywhere(page)
    const original = String(await page.locator('.original pre').textContent())
    expect(original).toContain('<script>window.owned = 1</script>')
    expect(original).toContain('\\u202egnp.exe')
    expect(original).toContain('\\u001b[31mred')
    expect(original).not.toMatch(/(?![\t\n])\p{Cc}|[\u202e\u2066\u200b]/u)
    expect(problems).toEqual([])
    expect([...hosts]).toEqual([new URL(dashboard.url).host])
    await close()
  })

  it('stays text in a report, which runs its own script only and asks nobody', async () => {
    const written = path.join(folder, 'report.html')
    execFileSync(process.execPath, [await bundledCommand(), 'report', file, '-o', written], {
      env: { ...process.env, PALIMPSEST_HOME: dashboard.served.folder },
    })
    const html = readFileSync(written, 'utf8')
    expect(html).not.toContain('owned')
    const scripts = [...html.matchAll(/<script\b([^>]*)>([^<]*)/g)]
    for (const [, attributes = '', body = ''] of scripts) {
      if (attributes.includes('type="application/octet-stream"')) continue
      expect(attributes).toContain('integrity="sha256-')
      expect(body.trim()).toBe('')
    }
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? ''
    expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[^' ]+';/)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    const { page, problems, hosts, close } = await visit(browser, pathToFileURL(written).href)
    await page.getByText(/^Context at request/).waitFor()
    await lookEverywhere(page)
    expect(problems).toEqual([])
    expect([...hosts]).toEqual([''])
    await close()
  })

  it('cannot add a script to a report: the policy refuses every other one', async () => {
    const written = path.join(folder, 'report.html')
    const html = readFileSync(written, 'utf8').replace(
      '</body>',
      '<script>window.owned = 1</script><script src="data:text/javascript,window.owned=2"></script><img src=x onerror="window.owned=3"></body>',
    )
    writeFileSync(written, html)
    const { page, problems, close } = await visit(browser, pathToFileURL(written).href)
    await page.getByText(/^Context at request/).waitFor()
    expect(await page.evaluate('window.owned')).toBeUndefined()
    expect(problems.join('\n')).toContain('Content Security Policy')
    await close()
  })
})
