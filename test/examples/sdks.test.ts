import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answer as askAnthropic } from '../../examples/02-anthropic.ts'
import { answer as askChat } from '../../examples/03-openai-chat.ts'
import { answer as askResponses } from '../../examples/04-openai-responses.ts'
import { answer as askGemini } from '../../examples/05-gemini.ts'
import { answer as askAiSdk } from '../../examples/06-ai-sdk.ts'
import extension from '../../examples/07-pi.ts'
import { startModel } from '../model/server.ts'

const examples: Readonly<Record<string, (url: string) => Promise<string>>> = {
  '02-anthropic': (url) => askAnthropic('What is in it?', url),
  '03-openai-chat': (url) => askChat('What is in it?', `${url}/v1`),
  '04-openai-responses': (url) => askResponses('What is in it?', `${url}/v1`),
  '05-gemini': (url) => askGemini('What is in it?', url),
  '06-ai-sdk': (url) => askAiSdk('What is in it?', `${url}/v1`),
}

const keys = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'PALIMPSEST_HOME'] as const
const before = keys.map((key) => [key, process.env[key]] as const)
let folder: string
let file: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-examples-'))
  for (const key of keys) process.env[key] = key === 'PALIMPSEST_HOME' ? folder : 'none'
  file = path.join(folder, 'table.txt')
  const lines = Array.from({ length: 1_200 }, (_, at) => `row ${at}: nothing of note`)
  writeFileSync(file, `${lines.join('\n')}\n`)
})
afterAll(() => {
  for (const [key, value] of before) {
    if (value === undefined) delete process.env[key]
    else process.env[key] = value
  }
  rmSync(folder, { recursive: true })
})

describe('the examples against the scripted model', () => {
  it.each(Object.keys(examples))(
    '%s prunes a file that is read again, and can restore it',
    async (name) => {
      const read = { operations: [{ kind: 'read' as const, path: file }] }
      const turns = [read, read, read, { operations: [{ kind: 'restore' as const }] }]
      const model = await startModel({ scenario: { turns: [...turns, { text: 'Rows.' }] } })
      expect(await examples[name]?.(model.url)).toBe('Rows.')
      const { requests } = model
      await model.stop()
      expect(requests.map(({ status, violations }) => [status, violations])).toEqual(
        requests.map(() => [200, []]),
      )
      const last = requests.at(-1)?.body ?? ''
      // Three reads and one restored original, of which two are whole.
      expect(requests.length).toBe(5)
      expect(last.split('row 1199: nothing').length - 1).toBe(2)
      expect(last).toMatch(/context_restore [0-9a-f]{6}/)
    },
  )

  it('07-pi registers the restore tool and follows the requests', () => {
    const events: string[] = []
    const tools: string[] = []
    extension({
      on: (event) => events.push(event),
      registerTool: ({ name }) => tools.push(name),
    })
    expect(events).toEqual(['before_provider_request', 'message_end', 'session_shutdown'])
    expect(tools).toEqual(['context_restore'])
  })
})
