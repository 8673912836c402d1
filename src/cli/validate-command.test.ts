import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { validateFile } from './validate-command.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-validate-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function fileOf(text: string): Promise<string> {
  const file = join(folder, 'body.json')
  await writeFile(file, text)
  return file
}

describe('validateFile', () => {
  it('finds nothing in a request that its provider takes', async () => {
    const file = await fileOf('{"model":"gpt-5.5","messages":[{"role":"user","content":"Hi"}]}')
    expect(await validateFile(file, 'openai-chat')).toEqual([])
  })

  it('checks what only the named model wants', async () => {
    const file = await fileOf(
      '{"contents":[{"parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"name":"ls"}}]}]}',
    )
    expect(await validateFile(file, 'gemini')).toEqual([])
    const found = await validateFile(file, 'gemini', { model: 'gemini-3-pro-preview' })
    expect(found.map(({ rule, where }) => [rule, where])).toEqual([
      ['gemini/thought-signature-missing', 'contents[1].parts[0]'],
    ])
  })

  it('has a violation for a file that is not JSON', async () => {
    const found = await validateFile(await fileOf('no'), 'anthropic')
    expect(found).toEqual([
      { rule: 'anthropic/not-json', where: '', message: 'The request body is not valid JSON' },
    ])
  })

  it('says which file cannot be read', async () => {
    const missing = join(folder, 'missing.json')
    await expect(validateFile(missing, 'anthropic')).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('missing.json'),
    })
  })
})
