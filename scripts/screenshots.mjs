// `node scripts/screenshots.mjs`: makes the pictures in docs/images from a gateway with the sample session.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { build } from './build.mjs'
import { chromiumArguments, chromiumPath, installChromium } from './chromium.mjs'
import { inRoot } from './install.mjs'

/** Name, view, width, height and theme of each picture. */
const pictures = [
  ['session', 'sessions/1?at=42', 1280, 1280, 'light'],
  ['session-dark', 'sessions/1?at=42', 1280, 1280, 'dark'],
  ['session-phone', 'sessions/1?at=42', 390, 844, 'light'],
  ['sessions', 'sessions', 1280, 420, 'light'],
  ['files', 'sessions/1/files?file=/home/dev/tally/src/summary.js', 1280, 900, 'light'],
  ['money', 'sessions/1/money', 1280, 900, 'light'],
  ['compare', 'sessions/1/compare', 1280, 1060, 'light'],
  ['settings', 'settings', 1280, 760, 'dark'],
]

function startGateway(folder) {
  const sample = inRoot('examples/sample-session.json')
  const store = ['--store', path.join(folder, 'palimpsest.db')]
  const args = [inRoot('dist/cli/main.js'), 'serve', '--port', '0', '--load', sample, ...store]
  const child = spawn(process.execPath, [...args, '--json'], {
    cwd: folder,
    env: { ...process.env, PALIMPSEST_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)))
    createInterface({ input: child.stdout }).once('line', (line) => {
      const { url, dashboardToken } = JSON.parse(line)
      resolve({ child, url, token: dashboardToken })
    })
  })
}

await build()
installChromium()
const executablePath = chromiumPath()
if (executablePath === null) throw new Error('Chromium is missing: install the package chromium')
const { chromium } = await import('playwright-core')
const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-'))
const { child, url, token } = await startGateway(folder)
const browser = await chromium.launch({ executablePath, args: chromiumArguments })
try {
  mkdirSync(inRoot('docs/images'), { recursive: true })
  for (const [name, view, width, height, colorScheme] of pictures) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme })
    await page.goto(`${url}/#token=${token}`)
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`)
    await page.locator('main h1').waitFor()
    await page.locator('.state[role=status]').waitFor({ state: 'detached' })
    if (name.startsWith('session') && name !== 'sessions') {
      await page.getByRole('button', { name: 'Removed', exact: true }).click()
      if (width > 700) await page.getByRole('option').nth(2).click()
      await page.evaluate('document.activeElement?.blur()')
    }
    await page.evaluate('window.scrollTo(0, 0)')
    // The folder of this run says nothing to a reader.
    await page.evaluate(`document.querySelector('.page-foot').hidden = true`)
    await page.waitForTimeout(400)
    await page.screenshot({ path: inRoot('docs/images', `${name}.png`) })
    await page.close()
    console.log(`docs/images/${name}.png`)
  }
} finally {
  await browser.close()
  child.removeAllListeners('exit')
  child.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}
