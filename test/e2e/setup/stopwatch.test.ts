import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { newestVersion } from '../../../scripts/agents.mjs'
import { projectRoot } from '../../model/project-root.ts'
import { startModel } from '../../model/server.ts'
import { claudeCode } from '../claude-code.ts'
import { describeClient, isShortRun } from '../installed-client.ts'
import { cleanEnvironment } from '../session.ts'
import { story } from './setup-session.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'palimpsest new user '))
// The clone has its dependencies by then.
afterAll(() => rmSync(scratch, { recursive: true, force: true }), 120_000)

/** The commands by which README.md says how to try it, without their comments. */
function commands(): readonly string[] {
  const readme = readFileSync(path.join(projectRoot, 'README.md'), 'utf8')
  const block = /```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  return block
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '')
}

describe('the first commands of the README', () => {
  it('are at most three, counted by what a person types, and end with a run', () => {
    const typed = commands().flatMap((line) => line.split(/\s*&&\s*/))
    expect(typed.length).toBeLessThanOrEqual(3)
    expect(typed.at(-1)).toBe('palimpsest run claude')
  })
})

const longestMs = 7 * 60_000

interface Ended {
  readonly code: number | null
  readonly text: string
}

/** What this machine needs to reach its package registry: proxies, certificates, and npm's settings of the user. */
function networkOfThisMachine(): Readonly<Record<string, string>> {
  const needed = /^(?:(?:https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/i
  const settings = execFileSync('npm', ['config', 'get', 'userconfig'], { encoding: 'utf8' })
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    needed.test(name) && value !== undefined ? [[name, value] as const] : [],
  )
  return { ...Object.fromEntries(kept), npm_config_userconfig: settings.trim() }
}

function inShell(line: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn('/bin/bash', ['-c', line], {
      ...{ cwd, env, detached: true },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    const timer = setTimeout(() => {
      text += `\n${line} was ended after ${longestMs / 60_000} minutes`
      process.kill(-child.pid!, 'SIGKILL')
    }, longestMs)
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, text })
    })
  })
}

// Downloads and builds everything, so that CI leaves it out.
if (!isShortRun)
  describeClient(claudeCode(newestVersion('claude-code')), 'a new user with a clone', (command) => {
    it('sees the first saved dollar after the commands of the README', {
      timeout: 900_000,
    }, async () => {
      const [clone, home, bin, global, project] = [
        'a clone',
        'home',
        'bin',
        'global',
        'project',
      ].map((name) => path.join(scratch, name)) as [string, string, string, string, string]
      for (const folder of [home, bin, global, `${project}/src`])
        mkdirSync(folder, { recursive: true })
      execFileSync('git', ['clone', '-q', '--no-hardlinks', projectRoot, clone])
      symlinkSync(command, path.join(bin, 'claude'))
      const rows = Array.from(
        { length: 120 },
        (_, n) => `export const row${n} = 'row ${n} of many'`,
      )
      writeFileSync(`${project}/src/table.js`, rows.join('\n'))
      const model = await startModel({ scenario: { aux: 'A title', turns: story(project) } })
      const setup = claudeCode('').setUp({ command, home, project }, 'Read the table twice.')
      const env = {
        ...cleanEnvironment(home, [bin, path.join(global, 'bin')]),
        ...setup.environment,
        ANTHROPIC_BASE_URL: model.url,
        ...networkOfThisMachine(),
        npm_config_prefix: global,
      }
      const startedAt = Date.now()
      const [install = '', run = ''] = commands()
      const installed = await inShell(install, clone, env)
      expect(installed).toMatchObject({ code: 0 })
      const words = setup.args.map((arg) => `'${arg}'`).join(' ')
      const { code, text } = await inShell(`${run} ${words}`, project, env)
      await model.stop()
      expect({ code, text }).toMatchObject({ code: 0 })
      expect(text.trim().split('\n').at(-1)).toMatch(/^saved \$[\d.]+ of \$[\d.]+ \(/)
      console.log(`first saved dollar after ${Math.round((Date.now() - startedAt) / 1000)} s`)
    })
  })
