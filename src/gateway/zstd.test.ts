import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { storyBodies } from '../../test/gateway/story.ts'
import { createZstdUnpacker, unpackInJavaScript, unpackZstd } from './zstd.ts'

const story = storyBodies('anthropic').at(-1) as string
const packed = readFileSync(new URL('../../test/gateway/packed/story.json.zst', import.meta.url))
const enough = 1_000_000

describe('zstd', () => {
  it('is unpacked by the runtime and in JavaScript alike, in one frame or several', async () => {
    expect(unpackInJavaScript(packed, enough).toString()).toBe(story)
    expect((await unpackZstd(packed, { maxOutputLength: enough })).toString()).toBe(story)
    const twice = Buffer.concat([packed, packed])
    expect(unpackInJavaScript(twice, enough).toString()).toBe(story + story)
  })

  it('is unpacked as it comes', async () => {
    const unpacker = createZstdUnpacker()
    for (let at = 0; at < packed.length; at += 100) unpacker.write(packed.subarray(at, at + 100))
    unpacker.end()
    const parts: Buffer[] = []
    for await (const part of unpacker) parts.push(part as Buffer)
    expect(Buffer.concat(parts).toString()).toBe(story)
  })

  it.each([
    ['cut off', packed.subarray(0, packed.length - 9)],
    ['something else', Buffer.from('{"messages": []}')],
    ['nothing', Buffer.alloc(0)],
    ['asks for a window of two gigabytes', Buffer.from('28b52ffd00a8010000', 'hex')],
  ])('is refused when it is %s', async (_, bytes) => {
    expect(() => unpackInJavaScript(bytes, enough)).toThrow()
  })

  it('is refused when it becomes too long', async () => {
    expect(() => unpackInJavaScript(packed, story.length - 1)).toThrow(RangeError)
    await expect(unpackZstd(packed, { maxOutputLength: 1_000 })).rejects.toThrow()
  })
})
