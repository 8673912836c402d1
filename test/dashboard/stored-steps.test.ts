import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withNote } from '../../src/core/render/input-note.ts'
import { storedRequests, storedStep } from '../../src/replay/stored-steps.ts'
import { finish } from '../../src/replay/work.ts'
import type { StoredSession } from '../../src/store/index.ts'
import { type Setting, startSetting } from '../gateway/setting.ts'
import { paths, storyBodies } from '../gateway/story.ts'

let setting: Setting

afterEach(() => setting.stop())

interface Block {
  readonly type: string
  readonly id?: string
  readonly tool_use_id?: string
  readonly content?: unknown
}

/** The texts of the tool results in a request of Anthropic's format, by their calls. */
function resultsIn(body: Buffer): Readonly<Record<string, string>> {
  const { messages } = JSON.parse(String(body)) as { messages: { content: string | Block[] }[] }
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return Object.fromEntries(
    blocks
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id, content }) => [
        tool_use_id,
        typeof content === 'string'
          ? content
          : (content as { text: string }[]).map(({ text }) => text).join(''),
      ]),
  )
}

/** The same from the store: what each request showed. */
async function storedResults(): Promise<readonly Readonly<Record<string, string>>[]> {
  const { store } = setting
  const [session] = await store.sessions()
  const found = session as StoredSession
  const { record, requests } = finish(
    storedRequests(await store.load(found), await store.receipts(found)),
  )
  return requests.map((request) => {
    const { view } = storedStep(request, record)
    const notes = new Map(
      view.flatMap(({ item, rendition }) =>
        item.kind === 'call' && rendition?.note !== undefined ? [[item.call, rendition.note]] : [],
      ),
    )
    return Object.fromEntries(
      view.flatMap(({ item, rendition }) => {
        if (item.kind !== 'result') return []
        const text = rendition?.text ?? item.text
        const note = notes.get(item.call)
        return [[item.call, note === undefined ? text : withNote(text, note)]]
      }),
    )
  })
}

async function send(bodies: readonly string[]): Promise<void> {
  for (const body of bodies) {
    const headers = { 'x-session-id': 's', 'x-api-key': 'k' }
    expect((await setting.post(paths.anthropic, body, headers)).status).toBe(200)
  }
}

const sent = (): readonly Readonly<Record<string, string>>[] =>
  setting.upstream.received.map(({ body }) => resultsIn(body))

describe.each(['economic', 'eager'] as const)(
  'the requests of a stored session, %s',
  (schedule) => {
    beforeEach(async () => {
      setting = await startSetting({ config: { schedule } })
    })

    it('are shown as they were sent, byte for byte', async () => {
      await send(storyBodies('anthropic', { turns: 24 }))
      await setting.gateway.close(0)
      const upstream = sent()
      expect(JSON.stringify(upstream)).toContain('same output as')
      // A first request without tools leaves no receipt, and the ledger of an eager session has no requests.
      const known = schedule === 'eager' ? upstream.slice(1) : upstream
      expect(await storedResults()).toEqual(known)
    })

    it('are those of every history when the agent clears results itself', async () => {
      const bodies = storyBodies('anthropic', { turns: 24 })
      await send(bodies.slice(0, 13))
      const cleared = bodies
        .slice(13, 20)
        .map((body) => body.replace(/(✓ case \d+ of alpha passes(\\n)?)+/, '[cleared]'))
      expect(cleared[0]).not.toBe(bodies[13])
      await send(cleared)
      await setting.gateway.close(0)
      const stored = await storedResults()
      const upstream = sent()
      expect(await setting.store.sessions()).toHaveLength(1)
      expect(stored.slice(-7)).toEqual(upstream.slice(-7))
      if (schedule === 'economic') expect(stored).toEqual(upstream)
    })

    it('are the same after a restart in the middle', async () => {
      const bodies = storyBodies('anthropic', { turns: 24 })
      await send(bodies.slice(0, 15))
      await setting.restart()
      await send(bodies.slice(15))
      await setting.gateway.close(0)
      const stored = await storedResults()
      expect(stored.slice(-10)).toEqual(sent().slice(-10))
      expect(stored).toHaveLength(schedule === 'eager' ? 24 : 25)
    })
  },
)
