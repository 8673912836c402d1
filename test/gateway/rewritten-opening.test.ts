import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MessageDraft } from '../../src/core/words/item.ts'
import type { BodyFormatName } from '../../src/formats/format.ts'
import { bodyFormats } from '../../src/formats/index.ts'
import { bodyOf } from '../property/wire.ts'
import { type Setting, startSetting } from './setting.ts'
import { paths, type StoryOptions, storyMessages } from './story.ts'

let setting: Setting

beforeEach(async () => {
  setting = await startSetting()
})
afterEach(async () => {
  expect(setting.faults).toEqual([])
  await setting.stop()
})

type Messages = readonly MessageDraft[]
const key = { 'x-api-key': 'sk-one' }
const formats = Object.keys(paths) as BodyFormatName[]

/** A story whose client puts the project's files before the user's words, as Gemini CLI and Qwen Code do. */
function told(files: string, options: StoryOptions = {}): readonly Messages[] {
  return storyMessages(options).map(([first, ...rest]) =>
    opened(first as MessageDraft, files, rest),
  )
}

function opened(first: MessageDraft, files: string, rest: Messages): Messages {
  const context = { kind: 'text', text: `The files of this project: ${files}` } as const
  return [{ ...first, items: [context, ...first.items] }, ...rest]
}

/** Sends requests one after the other, and gives what arrived in their place. */
async function sent(
  format: BodyFormatName,
  requests: readonly Messages[],
  headers: Readonly<Record<string, string>> = key,
): Promise<readonly Messages[]> {
  const arrived: Messages[] = []
  for (const messages of requests) {
    await setting.post(paths[format], bodyOf(format, messages), headers)
    const body = setting.upstream.received.at(-1)?.body.toString() ?? ''
    arrived.push(bodyFormats[format].read(body).messages)
  }
  return arrived
}

async function storedIds(): Promise<readonly string[]> {
  return (await setting.store.sessions()).map(({ id }) => id).sort()
}

/** The handles of what was left out. */
function handlesIn(messages: Messages = []): readonly string[] {
  return JSON.stringify(messages).match(/(?<=· )[0-9a-f]{6}(?=[\]:])/g) ?? []
}

async function epochsOf(id: string): Promise<readonly string[]> {
  const stored = (await setting.store.sessions()).find((each) => each.id === id)
  const { ledger, earlierLedgers } = await setting.store.load(stored!)
  const reasons = [...earlierLedgers, ledger].map((entries) =>
    entries.flatMap((entry) => (entry.kind === 'epoch' ? [entry.reason] : [])),
  )
  return [...new Set(reasons.flat())]
}

describe.each(formats)('a client that rewrites its first message, over %s', (format) => {
  const before = told('a.ts').slice(0, 8)
  const after = told('a.ts, b.ts').slice(8)

  it.each([false, true])('stays in its session (restarted: %s)', async (isRestarted) => {
    // Long enough that Gemini caches what is left of it.
    const long = { turns: 20 }
    const [last = []] = (await sent(format, told('a.ts', long).slice(0, 12))).slice(-1)
    if (isRestarted) await setting.restart()
    const arrived = await sent(format, told('a.ts, b.ts', long).slice(12))
    const ids = await storedIds()
    expect(ids).toHaveLength(1)
    expect(handlesIn(last).length).toBeGreaterThan(0)
    expect(handlesIn(arrived[0])).toEqual(expect.arrayContaining([...handlesIn(last)]))
    expect(await epochsOf(ids[0]!)).toEqual(['rewritten'])
    for (const [at, messages] of arrived.entries())
      if (at > 0) expect(messages.slice(0, arrived[at - 1]?.length)).toEqual(arrived[at - 1])
  })

  it('is told from a new conversation that begins with the very same message', async () => {
    await sent(format, before)
    const fresh = told('a.ts, b.ts', { word: 'beta' })
    const [own = []] = (await sent(format, fresh.slice(0, 3))).slice(-1)
    await sent(format, after.slice(0, 2))
    const [still = []] = await sent(format, fresh.slice(3, 4))
    await setting.restart()
    await sent(format, after.slice(2))
    await sent(format, fresh.slice(4))
    expect(await storedIds()).toHaveLength(2)
    expect(still.slice(0, own.length)).toEqual(own)
  })

  it('has nothing in common with somebody else who sends the same', async () => {
    await sent(format, before)
    await setting.restart()
    await sent(format, after, { 'x-api-key': 'sk-two' })
    await setting.restart()
    await sent(format, after)
    const stored = await setting.store.sessions()
    expect(new Set(stored.map(({ credential }) => credential)).size).toBe(2)
    expect(stored).toHaveLength(2)
  })

  it('and forks: each way is a session of its own, with the history that they share', async () => {
    const fork = told('a.ts, b.ts').map((messages) => forkedAt(9, messages))
    const resumed = told('c.ts').map((messages) => forkedAt(9, messages))
    await sent(format, before)
    const [shared = []] = (await sent(format, after.slice(0, 2))).slice(-1)
    const [first = []] = await sent(format, fork.slice(8, 9))
    expect(handlesIn(first)).toEqual(expect.arrayContaining([...handlesIn(shared.slice(0, 9))]))
    await setting.restart()
    await sent(format, after.slice(2, 3))
    // The fork is resumed, and once more its first message is another.
    await sent(format, resumed.slice(9, 10))
    await setting.restart()
    await sent(format, resumed.slice(10))
    await sent(format, after.slice(3))
    expect(await storedIds()).toHaveLength(2)
  })
})

it('recognises a session by its name and its calls when its first message is rewritten', async () => {
  const headers = { ...key, 'x-session-id': 'named' }
  await sent('anthropic', told('a.ts').slice(0, 8), headers)
  await setting.restart()
  await sent('anthropic', told('a.ts, b.ts').slice(8), headers)
  expect(await storedIds()).toEqual(['named'])
})

it('does not take two conversations for one because their answers read the same', async () => {
  const talk = (files: string, asked: string): Messages =>
    opened(words('user', 'Hi'), files, [words('assistant', 'Hello!'), words('user', asked)])
  const withCall = (messages: Messages, word: string): Messages => [
    ...messages,
    ...(storyMessages({ word }).at(-1) ?? []).slice(1),
  ]
  await sent('anthropic', [talk('a.ts', 'Rename it.'), withCall(talk('a.ts', 'Rename it.'), 'one')])
  await sent('anthropic', [talk('b.ts', 'Delete it.'), withCall(talk('b.ts', 'Delete it.'), 'two')])
  expect(await storedIds()).toHaveLength(2)
})

function words(role: 'user' | 'assistant', text: string): MessageDraft {
  return { role, items: [{ kind: 'text', text }] }
}

/** The same conversation up to a message, and from there on another one. */
function forkedAt(at: number, messages: Messages): Messages {
  return messages.map((message, index) =>
    index < at
      ? message
      : {
          ...message,
          items: message.items.map((item) =>
            'call' in item && item.call !== undefined
              ? { ...item, call: `${item.call}_fork` }
              : item,
          ),
        },
  )
}
