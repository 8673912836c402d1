import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { runtimePath, runtimes } from '../scripts/runtimes.mjs'

const root = path.resolve(import.meta.dirname, '..')
const sample = 'examples/sample-session.json'
const { exports: entries } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string>
}
const modules = Object.values(entries).filter((target) => target.endsWith('.js'))

const run = (binary: string, args: readonly string[]): string =>
  execFileSync(binary, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
const trace = (binary: string): string =>
  run(binary, ['dist/cli/main.js', 'replay', sample, '--trace'])

/** All that the gateway says until it listens. */
async function serveSays(binary: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-runtime-'))
  const store = path.join(folder, 'store.db')
  const child = spawn(binary, ['dist/cli/main.js', 'serve', '--port', '0', '--store', store], {
    cwd: root,
    env: { ...process.env, PALIMPSEST_HOME: folder },
  })
  let said = ''
  const ended = once(child, 'exit')
  await new Promise<void>((resolve) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString()
      if (said.includes('listening on')) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('exit', () => resolve())
  })
  child.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
  return said
}

for (const runtime of runtimes) {
  const binary = runtimePath(runtime)
  describe.skipIf(!existsSync(binary))(`${runtime.name} [npm test -- --all installs it]`, () => {
    it('prints the same trace, byte for byte, as this Node', () => {
      const expected = trace(process.execPath)
      expect(expected.length).toBeGreaterThan(10_000)
      expect(trace(binary)).toBe(expected)
    })

    it('serves, and has nothing to say of flags and warnings', async () => {
      const said = await serveSays(binary)
      expect(said).toContain('listening on http://127.0.0.1:')
      expect(said).not.toMatch(/flag|warning/i)
    })

    it.each(modules)('imports %s', (target) => {
      const script = `import * as all from '${path.join(root, target)}'; console.log(Object.keys(all).length > 0)`
      const args = runtime.name.startsWith('bun')
        ? ['-e', script]
        : ['--input-type=module', '-e', script]
      expect(run(binary, args).trim()).toBe('true')
    })
  })
}
