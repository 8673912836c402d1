import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { projectRoot } from '../model/project-root.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting
afterEach(() => setting.stop())

it('has every field of the status that the documentation names, and no other', async () => {
  setting = await startSetting()
  for (const body of storyBodies('anthropic')) await setting.post(paths.anthropic, body)
  const answer = await fetch(`${setting.gateway.url}/palimpsest/status`)
  const status = (await answer.json()) as Record<string, unknown>
  expect(status).toMatchObject({ requests: 13, sessions: 1, bypasses: {} })
  const page = readFileSync(path.join(projectRoot, 'docs', 'gateway.md'), 'utf8')
  const section = /## What it has done\n([\s\S]*?)\n## /.exec(page)?.[1] ?? ''
  const fields = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(Object.keys(status).toSorted()).toEqual(fields.toSorted())
})
