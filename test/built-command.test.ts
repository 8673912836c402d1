import { spawn } from 'node:child_process'
import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'

const main = path.resolve(import.meta.dirname, '../dist/cli/main.js')

it('the command as it is built listens, and ends well when it is told to', async () => {
  const home = mkdtempSync(path.join(tmpdir(), 'palimpsest-built-'))
  const child = spawn(process.execPath, [main, 'serve', '--port', '0'], {
    env: { ...process.env, PALIMPSEST_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const said = await new Promise<string>((resolve) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text)
    })
    child.stdout.on('end', () => resolve(text))
  })
  child.kill('SIGTERM')
  expect({ said: said.split(':')[0], code: await ended }).toEqual({
    said: 'listening on http',
    code: 0,
  })
}, 60_000)

it.skipIf(process.platform === 'win32')(
  'the command as it is built can be run by name, so a linked one survives the next build',
  () => {
    expect(statSync(main).mode & 0o111).toBe(0o111)
  },
)
