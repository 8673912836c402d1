import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentCommand, newestVersion } from '../../../scripts/agents.mjs'
import { bundledCommand } from '../../bundled-program.ts'
import { type RecordingUpstream, startRecordingUpstream } from '../../gateway/recording-upstream.ts'
import { type Serving, serve } from '../../gateway/serving.ts'
import { post } from '../../gateway/setting.ts'
import { paths, storyBodies, storyMessages } from '../../gateway/story.ts'

const codex = agentCommand(`codex-${newestVersion('codex')}`)

/** Codex runs the commands of its agent in a sandbox without network, in which it lets them write few folders or none. */
describe.skipIf(codex === null)('the restore command in the sandbox of Codex', () => {
  // Codex lets commands write to the folder for temporary files, so the store is elsewhere.
  const scratch = mkdtempSync(path.join(homedir(), '.palimpsest-sandbox-'))
  const home = path.join(scratch, 'own')
  let upstream: RecordingUpstream
  let serving: Serving
  let command: string

  beforeAll(async () => {
    for (const folder of [home, path.join(scratch, 'codex'), path.join(scratch, 'project')])
      mkdirSync(folder)
    upstream = await startRecordingUpstream()
    serving = await serve({ command: await bundledCommand(), home, upstream: upstream.url })
    const tools = [{ name: 'Bash', input_schema: { type: 'object' } }]
    for (const body of storyBodies('anthropic')) {
      const told = JSON.stringify({ ...(JSON.parse(body) as object), tools })
      await post(`${serving.url}${paths.anthropic}`, told, { 'x-session-id': 's' })
    }
    const said = String(upstream.received.at(-1)?.body)
    command = /\/[^\s"]*\/restore [0-9a-f]{6,}/.exec(said)?.[0] ?? ''
    expect(command).not.toBe('')
  }, 120_000)

  afterAll(async () => {
    await serving.end('SIGKILL')
    await upstream.stop()
    rmSync(scratch, { recursive: true, force: true })
  })

  const run = (mode: string, shell: string): ReturnType<typeof spawnSync> =>
    spawnSync(
      codex ?? '',
      ['sandbox', '-c', `sandbox_mode="${mode}"`, '--', '/bin/sh', '-c', shell],
      {
        encoding: 'utf8',
        cwd: path.join(scratch, 'project'),
        env: { PATH: process.env.PATH, HOME: scratch, CODEX_HOME: path.join(scratch, 'codex') },
      },
    )
  const originals = storyMessages()
    .at(-1)!
    .flatMap(({ items }) => items.map(({ text }) => text))

  it.each(['read-only', 'workspace-write'])(
    'prints the original while the gateway runs: %s',
    (mode) => {
      expect(run(mode, `touch ${home}/x`).status).not.toBe(0)
      const { status, stdout } = run(mode, command)
      expect(status).toBe(0)
      expect(originals).toContain(stdout)
    },
    60_000,
  )

  it('prints it after the gateway has ended', async () => {
    await serving.end('SIGTERM')
    const { status, stdout } = run('read-only', command)
    expect(status).toBe(0)
    expect(originals).toContain(stdout)
  }, 60_000)
})
