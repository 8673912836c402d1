import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentCommand, newestVersion } from '../../scripts/agents.mjs'
import { captureRun } from '../captured-run.ts'
import { projectRoot } from '../model/project-root.ts'
import { type DocumentedCommand, namedCommands, shellLines } from './documented-commands.ts'
import { createDocumentedWorld, type DocumentedWorld } from './documented-world.ts'

const lines = shellLines()
const ofProject = ({ text }: DocumentedCommand): boolean =>
  /^(?:PROPERTY_SEED=\$RANDOM )?(?:npm|npx vitest|\.ci)/.test(text)
const needsAgent = ({ text }: DocumentedCommand): boolean => /^(claude|codex) mcp/.test(text)
/** Lines that start an agent, with the suite that runs the same with the real one. */
const shownElsewhere: Readonly<Record<string, string>> = {
  'pi -e ./node_modules/palimpsest/dist/pi/index.js': 'test/e2e/pi-extension.test.ts',
}

describe('every command of the documentation', { timeout: 120_000 }, () => {
  let world: DocumentedWorld
  beforeAll(async () => {
    world = await createDocumentedWorld()
  }, 120_000)
  afterAll(() => world.stop())

  const ours = lines.filter(
    (line) => !ofProject(line) && !needsAgent(line) && shownElsewhere[line.text] === undefined,
  )
  it.each(ours)('$page:$line $text', async ({ text }) => {
    const { code, out, err } = await world.run(text)
    // `doctor` finds that no agent of this world goes through the gateway.
    expect(text === 'palimpsest doctor' ? [0, 1] : [0], out + err).toContain(code)
    expect(out + err).not.toMatch(/\bundefined\b|\bNaN\b/)
  })

  const installed = ['claude-code', 'codex'].every(
    (client) => agentCommand(`${client}-${newestVersion(client)}`) !== null,
  )
  describe.skipIf(!installed)('in the real agent [npm test -- --all installs it]', () => {
    it.each(lines.filter(needsAgent))('$page:$line $text', async ({ text }) => {
      const { code, out, err } = await world.run(text)
      expect(code, out + err).toBe(0)
    })
  })
})

it('names only scripts and files that the project has', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const known = [
    'npm start',
    'npm test',
    // What scripts/check-package.mjs does with the tarball.
    'npm install --global',
    'npm install palimpsest',
    ...Object.keys(scripts).map((name) => `npm run ${name}`),
  ]
  const unknown = lines.filter(ofProject).filter(({ text: line }) => {
    const text = line.replace(/^\w+=\S+ /, '')
    if (text.startsWith('npm'))
      return !known.some((each) => text === each || text.startsWith(`${each} `))
    return !existsSync(path.join(projectRoot, text.replace('npx vitest run ', '')))
  })
  expect(unknown).toEqual([])
  for (const suite of Object.values(shownElsewhere))
    expect(existsSync(path.join(projectRoot, suite))).toBe(true)
})

it('names only commands and options that exist', async () => {
  const unknown: DocumentedCommand[] = []
  for (const command of namedCommands()) {
    const words = command.text.split(/\s+/).slice(1)
    // What stands behind the agent of `run` is the agent's.
    const own = words[0] === 'run' ? words.slice(0, 1) : words
    const names = own
      .filter((word) => /^[a-z]+$/.test(word))
      .slice(0, own[0] === 'memory' || own[0] === 'store' ? 2 : 1)
    const { code, out } = await captureRun([...names, '--help'], { cwd: projectRoot })
    const isKnown =
      code === 0 &&
      out.startsWith(`Usage: palimpsest${names.map((name) => ` ${name}`).join('')}`) &&
      own
        .filter((word) => word.startsWith('--'))
        .every((option) => out.includes(option.split('=')[0]!))
    if (!isKnown) unknown.push(command)
  }
  expect(unknown).toEqual([])
})

it('shows no example in the help that is wider than a terminal of 80 columns', async () => {
  const { out } = await captureRun(['completion', 'bash'], { cwd: projectRoot })
  const [, all = ''] = /'' \) words='([^']+)'|''\) words='([^']+)'/.exec(out)?.filter(Boolean) ?? []
  const names = all.split(' ').filter((word) => /^[a-z]+$/.test(word))
  expect(names).toContain('replay')
  const wide: string[] = []
  for (const name of ['', ...names]) {
    const help = await captureRun([...(name === '' ? [] : [name]), '--help'], { cwd: projectRoot })
    const examples = help.out.slice(help.out.indexOf('Examples:')).split('\n')
    wide.push(...examples.filter((line) => line.startsWith('  palimpsest') && line.length > 80))
  }
  expect(wide).toEqual([])
})
