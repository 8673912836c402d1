// `npm run bench:web [-- --runs 20] [--json]`: how fast the dashboard paints and answers in Chromium, with a session of
// 5,000 items served by the local gateway. Prints the median, the slowest run and the limit of each measure.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { chromiumArguments, chromiumPath, installChromium } from './chromium.mjs'
import { inRoot } from './install.mjs'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, json: { type: 'boolean', default: false } },
})
const runs = Number(values.runs)
const items = 5000

/** A recording of Claude Code with this many items: reads, edits and commands, as an agent mixes them. */
function longRecording() {
  const lines = []
  const say = (type, at, message) =>
    lines.push(
      JSON.stringify({
        type,
        uuid: `u${lines.length}`,
        sessionId: 'bench-web',
        cwd: '/project',
        timestamp: new Date(Date.UTC(2026, 0, 1) + at * 20_000).toISOString(),
        message,
      }),
    )
  say('user', 0, { role: 'user', content: 'Rename the counter everywhere, and run the tests.' })
  for (let turn = 1; turn * 3 < items; turn++) {
    const file = `/project/src/part-${turn % 40}.ts`
    const [name, input, result] = [
      ['Read', { file_path: file }, fileText(turn)],
      ['Bash', { command: `npm test -- part-${turn % 7}` }, testOutput(turn)],
      [
        'Edit',
        { file_path: file, old_string: `line 4 of ${turn % 40}`, new_string: `row ${turn}` },
        `The file ${file} has been updated.`,
      ],
    ][turn % 3]
    const id = `toolu_${turn}`
    const call = { type: 'tool_use', id, name, input }
    const usage = { input_tokens: 400, cache_read_input_tokens: 20_000 + turn, output_tokens: 90 }
    say('assistant', turn * 2, {
      role: 'assistant',
      id: `msg_${turn}`,
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: `Step ${turn}: look at part ${turn % 40}.` }, call],
      usage,
    })
    say('user', turn * 2 + 1, {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: result }],
    })
  }
  return `${lines.join('\n')}\n`
}

function fileText(turn) {
  const lines = Array.from({ length: 30 }, (_, n) => `${n + 1}\tline ${n} of ${turn % 40}`)
  return lines.join('\n')
}

function testOutput(turn) {
  return Array.from({ length: 20 }, (_, n) => `✓ case ${n} of run ${turn} passes`).join('\n')
}

/** Starts the built gateway with the recording in its store. */
function startGateway(folder, file) {
  const args = [inRoot('dist/cli/main.js'), 'serve', '--port', '0', '--load', file, '--json']
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, PALIMPSEST_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)))
    createInterface({ input: child.stdout }).once('line', (line) =>
      resolve({ child, url: JSON.parse(line).url }),
    )
  })
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]

/** From an action to the frame in which its effect is painted, in milliseconds, measured inside the page. */
const timed = (action) => `new Promise((resolve) => {
  const started = performance.now();
  ${action};
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started), 0))
})`

const field = (name) => `document.querySelector('${name}')`
const typed = (text) =>
  `const input = ${field('.page-list input[type=search]')}; input.value = ${JSON.stringify(text)}; input.dispatchEvent(new Event('input', { bubbles: true }))`

/** What a person does in a long session. Each returns to where it began. */
const interactions = {
  'move the scrubber': (run) =>
    `const slider = ${field('.scrubber input')}; slider.value = ${200 + ((run * 61) % 1400)}; slider.dispatchEvent(new Event('input', { bubbles: true }))`,
  'scroll the list': (run) => `${field('.virtual-list')}.scrollTop = ${(run * 9973) % 200_000}`,
  'search the list': (run) => typed(['part-7', 'case 3', 'row 12'][run % 3]),
  'clear the search': () => typed(''),
  'filter the list': (run) =>
    `[...document.querySelectorAll('.page-list .choice button')][${run % 2 === 0 ? 2 : 0}].click()`,
  'open an item': (run) => `document.querySelectorAll('.virtual-row')[${(run % 5) + 1}].click()`,
}

async function measure(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const paints = []
  const ready = []
  for (let run = 0; run < runs; run++) {
    await page.goto('about:blank')
    const started = Date.now()
    await page.goto(`${url}/#/sessions/1`)
    await page.getByText(/^Context at request/).waitFor()
    ready.push(Date.now() - started)
    paints.push(
      await page.evaluate(
        `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`,
      ),
    )
  }
  const rows = [
    { name: 'first paint', limitMs: 1500, times: paints },
    { name: 'session ready', limitMs: null, times: ready },
  ]
  for (const [name, action] of Object.entries(interactions)) {
    const times = []
    for (let run = 0; run < runs; run++) {
      times.push(await page.evaluate(timed(action(run))))
      await page.waitForTimeout(60)
    }
    rows.push({ name, limitMs: 100, times })
  }
  await page.close()
  return rows
}

await build()
installChromium()
const executablePath = chromiumPath()
if (executablePath === null) throw new Error('Chromium is missing: install the package chromium')
const { chromium } = await import('playwright-core')
const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-bench-web-'))
const file = path.join(folder, 'long.jsonl')
writeFileSync(file, longRecording())
console.error('loading a session of 5,000 items …')
const { child, url } = await startGateway(folder, file)
const browser = await chromium.launch({ executablePath, args: chromiumArguments })
try {
  const { itemList } = await (await fetch(`${url}/palimpsest/api/sessions/1`)).json()
  console.error('measuring …')
  const rows = await measure(browser, url)
  const results = rows.map(({ name, limitMs, times }) => ({
    name,
    medianMs: Math.round(median(times) * 10) / 10,
    slowestMs: Math.round(Math.max(...times) * 10) / 10,
    limitMs,
    holds: limitMs === null || median(times) < limitMs,
  }))
  if (values.json) console.log(JSON.stringify({ items: itemList.length, runs, results }))
  else {
    console.log(
      `a session of ${itemList.length} items, ${runs} runs each, Chromium ${browser.version()}`,
    )
    for (const { name, medianMs, slowestMs, limitMs, holds } of results)
      console.log(
        `${holds ? 'ok  ' : 'SLOW'}  ${name.padEnd(18)} median ${String(medianMs).padStart(7)} ms, slowest ${String(slowestMs).padStart(7)} ms${limitMs === null ? '' : `, limit ${limitMs} ms`}`,
      )
  }
  if (results.some(({ holds }) => !holds)) process.exitCode = 1
} finally {
  await browser.close()
  child.removeAllListeners('exit')
  child.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}
