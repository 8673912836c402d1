import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
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

for (const runtime of runtimes) {
  const binary = runtimePath(runtime)
  describe.skipIf(!existsSync(binary))(`${runtime.name} [npm test -- --all installs it]`, () => {
    it('prints the same trace, byte for byte, as this Node', () => {
      const expected = trace(process.execPath)
      expect(expected.length).toBeGreaterThan(10_000)
      expect(trace(binary)).toBe(expected)
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
