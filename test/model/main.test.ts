import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { projectRoot } from './project-root.ts'

let folder: string
let child: ChildProcess | undefined
afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

describe('the model as a process', () => {
  it('serves a scenario file, keeps a log, and ends when told to', async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-model-'))
    const scenario = join(folder, 'scenario.json')
    const log = join(folder, 'log.jsonl')
    writeFileSync(scenario, JSON.stringify({ turns: [{ text: 'Here.' }] }))
    const main = join(projectRoot, 'test', 'model', 'main.mjs')
    child = spawn(process.execPath, [main, '--scenario', scenario, '--log', log], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout!, 'data')) as [Buffer]
    const response = await fetch(`${line.toString('utf8').trim()}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer secret' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Where?' }] }),
    })
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Here.' } }] })
    const logged = readFileSync(log, 'utf8')
    expect(JSON.parse(logged)).toMatchObject({ api: 'openai-chat', kind: 'turn', status: 200 })
    expect(logged).not.toContain('secret')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
