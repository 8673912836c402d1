import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../model/project-root.ts'
import { longFiles } from './long-scenario.ts'
import { receivedItems } from './received.ts'
import { hostCommand, hostTitle, type ServedSession, serveSession } from './served-session.ts'
import { begin, command, say } from './steps.ts'

/** The package as `npm publish` would upload it, with its manifest beside it. */
function packed(folder: string): string {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  const name = execFileSync('npm', args, { cwd: projectRoot, encoding: 'utf8' }).trim()
  copyFileSync(join(projectRoot, 'package.json'), join(folder, 'package.json'))
  return join(folder, name)
}

/** Reads a file twice, and asks for the statistics. */
function readTwice(plugin: string, offers?: string): Promise<ServedSession> {
  return serveSession({
    files: longFiles,
    plugin,
    ...(offers === undefined ? {} : { offers }),
    scenario: (project) => ({
      aux: 'A title',
      turns: [
        { operations: [{ kind: 'read', path: `${project}/a.ts` }] },
        { operations: [{ kind: 'read', path: `${project}/a.ts` }] },
        { text: 'Done.' },
      ],
    }),
    steps: () => [begin('s'), say('s', 'Read it twice.'), command('s', 'stats')],
  })
}

describe.skipIf(hostCommand === null)(hostTitle('the plugin by its file in OpenCode'), () => {
  let session: ServedSession

  beforeAll(async () => {
    const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')
    const [, file = ''] = /"file:\/\/\/path\/to\/the\/clone\/([^"]+)"/.exec(readme) ?? []
    session = await readTwice(`file://${join(projectRoot, file)}`)
  }, 300_000)

  afterAll(() => session?.remove())

  it('works from a clone, as the README says', () => {
    expect(session.answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const last = receivedItems(session.requests.at(-1)!).join('\n')
    expect(last).toMatch(/same file lines as in `read [^`]*a\.ts lines 1–80` above/)
  })
})

describe.skipIf(hostCommand === null)(hostTitle('the plugin by its name in OpenCode'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-packed-'))
  let session: ServedSession

  beforeAll(async () => {
    session = await readTwice('palimpsest', packed(folder))
  }, 300_000)

  afterAll(() => {
    session?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is installed by the host itself, from a registry that has nothing but this package', () => {
    const place = join(session.home, '.cache/opencode/packages/palimpsest@latest/node_modules')
    const { version, scripts } = JSON.parse(
      readFileSync(join(place, 'palimpsest', 'package.json'), 'utf8'),
    ) as { version: string; scripts: Record<string, string> }
    const own = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as object
    expect(own).toMatchObject({ version })
    expect(Object.keys(scripts).filter((name) => /install|prepare/.test(name))).toEqual([])
  })

  it('offers its tools, prunes, keeps its decisions and answers commands', () => {
    expect(session.answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(session.requests[0]?.body).toContain('"context_prune"')
    const last = receivedItems(session.requests.at(-1)!).join('\n')
    expect(last).toMatch(/same file lines as in `read [^`]*a\.ts lines 1–80` above/)
    expect(existsSync(join(session.home, 'palimpsest', 'palimpsest.db'))).toBe(true)
    expect(JSON.stringify(session.answers[2]?.body)).toContain('Strategy Effectiveness:')
  })
})
