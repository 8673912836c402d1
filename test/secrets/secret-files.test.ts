import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { type Setting, startSetting } from '../gateway/setting.ts'
import { paths, storyMessages } from '../gateway/story.ts'
import { bodyOf } from '../property/wire.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest secret files '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Words that stand in secret files only, one for each way in which a call shows or changes one. */
const secrets = ['read', 'printed', 'written', 'edited', 'patched', 'echoed', 'named'].map(
  (word) => `${word}-4f9c1e77`,
)

function step(tool: string, input: object | string, result: string): readonly MessageDraft[] {
  const call = `toolu_${tool}_${Math.abs(JSON.stringify(input).length)}_${result.length}`
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return [
    { role: 'assistant', items: [{ kind: 'call', tool, call, text }] },
    { role: 'tool', items: [{ kind: 'result', tool, call, status: 'ok', text: result }] },
  ]
}

const [read, printed, written, edited, patched, echoed, named] = secrets
const secretSteps: readonly (readonly MessageDraft[])[] = [
  step('Read', { file_path: '/project/.env' }, `1\tKEY=${read}\n2\tMODE=dev`),
  step('Bash', { command: 'cat .env.local | head -3' }, `KEY=${printed}`),
  step('Write', { file_path: '/project/.env', content: `KEY=${written}\n` }, 'File created.'),
  step(
    'Edit',
    { file_path: '/project/.env', old_string: 'MODE=dev', new_string: `MODE=${edited}` },
    'The file /project/.env has been updated.',
  ),
  step(
    'MultiEdit',
    { file_path: 'deploy/server.pem', edits: [{ old_string: 'a', new_string: `${patched}` }] },
    'Applied 1 edit.',
  ),
  step('Bash', { command: `echo TOKEN=${echoed} >> .env` }, ''),
  step('mcp__vault__open', { file: '/home/ada/.aws/credentials' }, `key = ${named}`),
]

/** The story's requests, with the secret steps between its own. */
function requests(): readonly (readonly MessageDraft[])[] {
  const whole = storyMessages({ turns: 24 }).at(-1) ?? []
  const said: MessageDraft[] = []
  const all: (readonly MessageDraft[])[] = []
  const waiting = [...secretSteps]
  for (const message of whole) {
    said.push(message)
    if (message.role === 'assistant') continue
    all.push([...said])
    if (said.length > 10) said.push(...(waiting.shift() ?? []))
  }
  return all
}

async function exported(store: Store): Promise<string> {
  const lines: string[] = []
  for await (const line of store.exportLines()) lines.push(line)
  return lines.join('\n')
}

async function play(
  format: BodyFormatName,
  setting: Setting,
  { restarts }: { readonly restarts: boolean },
): Promise<readonly string[]> {
  const headers = { 'x-session-id': 'secret-files', authorization: 'Bearer test' }
  const receipts: string[] = []
  for (const [at, messages] of requests().entries()) {
    if (restarts && at % 6 === 5) await setting.restart()
    const reply = await setting.post(paths[format], bodyOf(format, messages), headers)
    receipts.push(String(reply.headers['x-palimpsest']))
  }
  return receipts
}

describe.each(Object.keys(paths) as BodyFormatName[])('secret files over %s', (format) => {
  it('reach the provider, and the store has hashes of them', async () => {
    const location = { kind: 'sqlite', path: path.join(folder, `${format}.db`) } as const
    const store = await openStore(location)
    const setting = await startSetting({ store })
    const receipts = await play(format, setting, { restarts: true })
    const last = setting.upstream.received.at(-1)?.body.toString('utf8') ?? ''
    const kept = await exported(store)
    for (const secret of secrets) {
      expect.soft(last, 'the provider').toContain(secret)
      expect.soft(kept, 'the store').not.toContain(secret)
    }
    expect(kept).toContain('[only a hash is kept · sha256 ')
    expect(receipts.filter((receipt) => receipt.includes('bypass'))).toEqual([])
    // The history is recognised after each restart, so there is one session, and it was pruned.
    expect(await store.sessions()).toHaveLength(1)
    expect(last.length).toBeLessThan(bodyOf(format, requests().at(-1) ?? []).length)
    expect(await store.check()).toEqual([])
    await setting.stop()
    await store.close()
  })

  it('do not depend on restarts: the same bytes go out', async () => {
    const sent: string[][] = []
    for (const restarts of [false, true]) {
      const setting = await startSetting()
      await play(format, setting, { restarts })
      sent.push(setting.upstream.received.map(({ body }) => body.toString('utf8')))
      await setting.stop()
    }
    expect(sent[1]).toEqual(sent[0])
  })
})

describe('secretFilePatterns', () => {
  const keepsOf = async (config: object): Promise<string> => {
    writeFileSync(path.join(folder, 'palimpsest.jsonc'), JSON.stringify(config))
    const setting = await startSetting({
      config: loadConfig({ cwd: path.parse(folder).root, home: folder }),
    })
    await play('anthropic', setting, { restarts: false })
    const kept = await exported(setting.store)
    await setting.stop()
    return kept
  }

  it('adds files, and excepts some of the usual ones', async () => {
    const usual = await keepsOf({})
    expect(usual).toContain('line 5 of alpha')
    const more = await keepsOf({ secretFilePatterns: ['src/part-*.ts', '!.env'] })
    expect(more).not.toContain('line 5 of alpha')
    expect(more).toContain(read)
    expect(more).not.toContain(printed)
  })
})
