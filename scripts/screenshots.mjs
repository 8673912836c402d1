// `node scripts/screenshots.mjs`: makes the pictures in docs/images. Those of one session show the sample session as it was
// recorded; Overview, Sessions, Memory and `gain` show a store with a week of requests made from it (sample-week.mjs).
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { build } from './build.mjs'
import { chromiumArguments, chromiumPath, installChromium } from './chromium.mjs'
import { inRoot } from './install.mjs'
import { makeSampleWeek } from './sample-week.mjs'
import { terminalPicture } from './terminal-picture.mjs'

const sample = inRoot('examples/sample-session.json')
const palimpsest = inRoot('dist/cli/main.js')

/** Name, view, width, height and theme of each picture of a week. */
const weekPictures = [
  ['overview', '', 1280, 890, 'light'],
  ['sessions', 'sessions', 1280, 700, 'light'],
  ['memory', 'memory', 1280, 900, 'light'],
]

/** The same of the sample session. */
const samplePictures = [
  ['session', 'sessions/1?at=42', 1280, 1280, 'light'],
  ['session-dark', 'sessions/1?at=42', 1280, 1280, 'dark'],
  ['session-phone', 'sessions/1?at=42', 390, 844, 'light'],
  ['files', 'sessions/1/files?file=/home/dev/tally/src/summary.js', 1280, 900, 'light'],
  ['money', 'sessions/1/money', 1280, 900, 'light'],
  ['compare', 'sessions/1/compare', 1280, 1060, 'light'],
  ['settings', 'settings', 1280, 760, 'dark'],
]

function startGateway(folder, more) {
  const args = [palimpsest, 'serve', '--port', '0', '--json', '--store', storeIn(folder), ...more]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: environmentOf(folder),
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

const storeIn = (folder) => path.join(folder, 'palimpsest.db')
const environmentOf = (folder) => ({ ...process.env, PALIMPSEST_HOME: folder })

function run(folder, args, { input, colors = false } = {}) {
  return execFileSync(process.execPath, [palimpsest, ...args, '--store', storeIn(folder)], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...environmentOf(folder), ...(colors ? { FORCE_COLOR: '1' } : {}) },
    ...(input === undefined ? {} : { input }),
  })
}

/** What a user of the sample project may have said. */
function remember(folder) {
  const project = ['--project', '/home/dev/tally']
  run(folder, ['memory', 'add', 'preference', 'tools', 'package-manager', 'npm', ...project])
  run(folder, ['memory', 'add', 'preference', 'tools', 'package-manager', 'pnpm', ...project])
  run(folder, ['memory', 'add', 'fact', 'user is a backend developer', ...project])
  const why = ['--why', 'floating point lost a cent']
  run(folder, ['memory', 'add', 'decision', 'Amounts are stored in cents', ...why, ...project])
  for (const [id, text] of [
    ['1', 'never commit to the main branch'],
    ['2', 'always commit to the main branch'],
  ])
    run(folder, ['memory', 'observe', '--session', 'said', ...project], {
      input: JSON.stringify({ id, role: 'user', text }),
    })
}

async function takePictures(browser, folder, pictures, more = []) {
  const { child, url, token } = await startGateway(folder, more)
  try {
    for (const [name, view, width, height, colorScheme] of pictures) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme })
      await page.goto(`${url}/#token=${token}`)
      await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`)
      await page.locator('main h1').waitFor()
      await page.locator('.state[role=status]').waitFor({ state: 'detached', timeout: 300_000 })
      if (/^session(-|$)/.test(name)) {
        await page.getByRole('button', { name: 'Removed', exact: true }).click()
        if (width > 700) await page.getByRole('option').nth(2).click()
        await page.evaluate('document.activeElement?.blur()')
      }
      if (name === 'memory') await page.locator('.memory summary').last().click()
      await page.evaluate('window.scrollTo(0, 0)')
      // The folder of this run says nothing to a reader.
      await page.evaluate(`document.querySelector('.page-foot').hidden = true`)
      await page.waitForTimeout(400)
      await page.screenshot({ path: inRoot('docs/images', `${name}.png`) })
      await page.close()
      console.log(`docs/images/${name}.png`)
    }
  } finally {
    child.removeAllListeners('exit')
    child.kill('SIGTERM')
  }
}

await build()
installChromium()
const executablePath = chromiumPath()
if (executablePath === null) throw new Error('Chromium is missing: install the package chromium')
const { chromium } = await import('playwright-core')
const week = mkdtempSync(path.join(tmpdir(), 'palimpsest-'))
const alone = mkdtempSync(path.join(tmpdir(), 'palimpsest-'))
const browser = await chromium.launch({ executablePath, args: chromiumArguments })
try {
  mkdirSync(inRoot('docs/images'), { recursive: true })
  await makeSampleWeek(week, storeIn(week))
  remember(week)
  const gain = run(week, ['gain'], { colors: true })
  writeFileSync(inRoot('docs/images/gain.svg'), terminalPicture('palimpsest gain', gain))
  console.log('docs/images/gain.svg')
  await takePictures(browser, week, weekPictures)
  await takePictures(browser, alone, samplePictures, ['--load', sample])
} finally {
  await browser.close()
  for (const folder of [week, alone]) rmSync(folder, { recursive: true, force: true })
}
