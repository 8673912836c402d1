import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { runtimePath, runtimes } from '../../scripts/runtimes.mjs'
import { bundledProgram } from '../bundled-program.ts'
import { projectRoot } from '../model/project-root.ts'
import { contractCases } from './cases.ts'

const run = promisify(execFile)

for (const runtime of runtimes) {
  const binary = runtimePath(runtime)
  describe.skipIf(!existsSync(binary))(
    `a store on ${runtime.name} [npm test -- --all installs it]`,
    () => {
      const faults = new Map<string, string | null>()
      let warnings = ''
      beforeAll(async () => {
        const program = await bundledProgram('test', 'store', 'run-contract.ts')
        const { stdout, stderr } = await run(binary, [program], { cwd: projectRoot })
        warnings = stderr
        for (const line of stdout.trimEnd().split('\n')) {
          const { name, fault } = JSON.parse(line) as { name: string; fault: string | null }
          faults.set(name, fault)
        }
      }, 120_000)
      for (const { name } of contractCases) {
        it(name, () => expect(faults.get(name)).toBe(null))
      }
      it('says nothing on standard error', () => expect(warnings).toBe(''))
    },
  )
}
