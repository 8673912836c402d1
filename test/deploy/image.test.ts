import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Setting, startSetting } from '../gateway/setting.ts'
import { projectRoot } from '../model/project-root.ts'
import { deployText } from './deploy-file.ts'

const text = deployText('Dockerfile')
const lines = text
  .replaceAll(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'))
const lastStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
const instruction = (name: string): string =>
  lastStage.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? ''
const manifest = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'))

describe('the Dockerfile', () => {
  it('is one', () => {
    expect(
      validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`),
    ).toEqual([])
    expect(validate('FROM node:22\nRUNN x\nUSER').length).toBeGreaterThan(0)
  })

  it('runs as a user by number, on a pinned small image that Palimpsest supports', () => {
    expect(instruction('USER')).toBe('1000:1000')
    for (const from of lines.filter((line) => line.startsWith('FROM ')))
      expect(from).toMatch(/^FROM node:22-alpine( AS \w+)?$/)
  })

  it('starts the program of the package, on all addresses, with no shell between', () => {
    const entry = JSON.parse(instruction('ENTRYPOINT')) as string[]
    expect(entry).toEqual([
      'node',
      `/app/node_modules/palimpsest/${String(manifest.bin.palimpsest).replace('./', '')}`,
    ])
    expect(JSON.parse(instruction('CMD')).slice(0, 3)).toEqual(['serve', '--host', '0.0.0.0'])
  })

  it('copies a context without what is private or built', () => {
    const ignored = readFileSync(path.join(projectRoot, '.dockerignore'), 'utf8').trim().split('\n')
    for (const name of ['.git', 'node_modules', 'dist', '.cache']) expect(ignored).toContain(name)
    for (const needed of ['package-lock.json', 'scripts/build.mjs'])
      expect(existsSync(path.join(projectRoot, needed))).toBe(true)
  })
})

describe('its health check', () => {
  let setting: Setting
  const command = JSON.parse(
    /CMD (\[.*\])/.exec(instruction('HEALTHCHECK'))?.[1] ?? '[]',
  ) as string[]
  beforeAll(async () => {
    setting = await startSetting({ host: '0.0.0.0', token: 't' })
  })
  afterAll(() => setting.stop())

  const run = (port: number): Promise<number | null> =>
    new Promise((resolve) => {
      const args = command.slice(1).map((each) => each.replace('8787', String(port)))
      spawn(process.execPath, args).on('exit', (code) => resolve(code))
    })

  it('succeeds before a gateway and fails before none', async () => {
    expect(command[0]).toBe('node')
    expect(await run(setting.gateway.port)).toBe(0)
    expect(await run(9)).toBe(1)
  })
})

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0

describe.skipIf(!hasAnalyze)('the systemd unit [npm test -- --all installs systemd]', () => {
  const unit = path.join(projectRoot, 'deploy/palimpsest.service')

  it('is one', () => {
    const check = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
    // Messages about other units of this machine do not count.
    const own = check.stderr.split('\n').filter((line) => line.includes('palimpsest'))
    expect([check.status, own]).toEqual([0, []])
  })

  it('leaves little to an attacker', () => {
    const check = spawnSync(
      'systemd-analyze',
      ['security', '--offline=yes', '--threshold=25', '--no-pager', unit],
      { encoding: 'utf8' },
    )
    expect([check.status, check.stdout.split('\n').at(-2)]).toEqual([
      0,
      expect.stringMatching(/Overall exposure level .*: [0-2]\.\d/),
    ])
  })

  it('starts the gateway on all addresses, with the time to finish open requests', () => {
    const text = readFileSync(unit, 'utf8')
    expect(text).toMatch(/^ExecStart=.* palimpsest serve --host 0\.0\.0\.0 /m)
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThan(30)
  })
})
