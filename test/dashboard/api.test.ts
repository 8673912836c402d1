import { createReadStream } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type {
  Comparison,
  FileAt,
  FileList,
  ItemDetail,
  Money,
  Overview,
  SearchResult,
  SessionDetail,
  SessionList,
  Settings,
} from '../../src/dashboard/types.ts'
import { readRecording } from '../../src/recordings/index.ts'
import { storeRecording } from '../../src/replay/store-recording.ts'
import { projectRoot } from '../model/project-root.ts'
import { type ServedDashboard, serveDashboard } from './served-dashboard.ts'

let served: ServedDashboard

beforeEach(async () => {
  served = await serveDashboard()
})
afterEach(() => served.stop())

const keyOf = async (): Promise<string> => {
  const { sessions } = await served.get<SessionList>('/sessions')
  return sessions[0]?.key ?? ''
}

const lastSent = (): string => String(served.setting.upstream.received.at(-1)?.body)

describe('the dashboard reads', () => {
  it('what was saved, by the usage that the provider counted', async () => {
    await served.send(0, 25)
    const overview = await served.get<Overview>('/overview?range=week')
    const { totals } = overview
    expect(totals).toMatchObject({ requests: 24, sessions: 1, measured: 24, billing: 'tokens' })
    expect(totals.savedDollars).toBeGreaterThan(0)
    expect(totals.tokens.with).toBeLessThan(totals.tokens.without)
    const sent = served.setting.upstream.received
      .slice(1)
      .reduce((sum, { body }) => sum + Math.round(String(body).length / 4), 0)
    expect(totals.tokens.with).toBe(sent)
    expect(totals.cache).not.toBeNull()
    expect(overview.days).toHaveLength(7)
    expect(overview.days.at(-1)?.requests).toBe(24)
    expect(overview.agents.map(({ name }) => name)).toEqual(['Claude Code'])
    expect(overview.models).toHaveLength(1)
  })

  it('the sessions, and each request of one with what was left out of it', async () => {
    await served.send(0, 25)
    const { sessions } = await served.get<SessionList>('/sessions')
    expect(sessions).toMatchObject([
      { id: 's', agent: 'Claude Code', title: 'Rename the counter everywhere.', isPaused: false },
    ])
    const detail = await served.get<SessionDetail>(`/sessions/${sessions[0]?.key}`)
    expect(detail.requests.map(({ n }) => n)).toEqual(Array.from({ length: 25 }, (_, n) => n + 1))
    const last = detail.requests.at(-1)
    expect(last?.cache?.outcome).toBe('hit')
    expect(last?.tokens.with).toBeLessThan(last?.tokens.without ?? 0)
    const removed = detail.itemList.filter(({ spans }) => spans.at(-1)?.shown !== 'full')
    expect(removed.length).toBeGreaterThan(5)
    for (const { handle, spans } of removed) expect(spans.at(-1)?.text, handle).toMatch(/\S/)
    expect(detail.requests.at(-1)?.removed.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(
      100,
    )
  })

  it('an item with its original and its chain, and finds text', async () => {
    await served.send(0, 25)
    const key = await keyOf()
    const { itemList } = await served.get<SessionDetail>(`/sessions/${key}`)
    const pointer = itemList.find(
      ({ spans }) =>
        spans.at(-1)?.by !== null && spans.length > 0 && spans.at(-1)?.shown === 'pointer',
    )
    const detail = await served.get<ItemDetail>(`/sessions/${key}/items/${pointer?.handle}`)
    expect(detail.text).toContain('case 299 of alpha passes')
    expect(detail.replacedBy).toContain(pointer?.spans.at(-1)?.by)
    const { matches } = await served.get<SearchResult>(`/sessions/${key}/search?q=CASE%2017%20of`)
    expect(matches.length).toBeGreaterThan(2)
    await expect(served.get(`/sessions/${key}/items/ffffff`)).rejects.toThrow(/^404/)
  })

  it('files with their versions, and a file at a turn', async () => {
    await served.send(0, 25)
    const key = await keyOf()
    const { files } = await served.get<FileList>(`/sessions/${key}/files`)
    expect(files.map(({ path }) => path).sort()).toEqual([
      '/project/src/part-0.ts',
      '/project/src/part-1.ts',
    ])
    const [file] = files
    expect(file?.reads).toBeGreaterThan(3)
    expect(file?.events.length).toBeGreaterThan(file?.reads ?? 0)
    const texts = await Promise.all(
      [2, 4].map((at) =>
        served.get<FileAt>(`/sessions/${key}/file?path=%2Fproject%2Fsrc%2Fpart-0.ts&at=${at}`),
      ),
    )
    expect(texts[0]?.lines).toContain('line 3 of alpha')
    expect(texts[1]?.lines).toContain('row 3, 2')
  })

  it('a file as current when an older read shows it as it is now', async () => {
    const sample = path.join(projectRoot, 'examples', 'sample-session.json')
    const { recordings } = await readRecording(createReadStream(sample))
    const config = { toolMappings: [], warnings: [] }
    for (const each of recordings) await storeRecording(served.setting.store, each, config)
    const { files } = await served.get<FileList>(`/sessions/${await keyOf()}/files`)
    const viewed = files.filter(
      ({ events, versions }) =>
        events.some(({ shown, version }) => shown === 'part' && version < versions) &&
        !events.some(({ shown, version }) => shown === 'full' && version === versions),
    )
    expect(viewed.map(({ name }) => name)).toContain('src/money.js')
    for (const { visible } of viewed) expect(visible).toBe('current')
  })

  it('money by request, presets side by side, and settings with their origin', async () => {
    await served.send(0, 25)
    const key = await keyOf()
    const money = await served.get<Money>(`/sessions/${key}/money`)
    expect(money.regimes.length).toBeGreaterThan(5)
    for (const { dollars } of money.regimes) expect(dollars.with).toBeLessThan(dollars.without)
    expect(money.cache.filter((each) => each !== null)).toHaveLength(24)
    // The same question has the same answer in every view.
    const row = await served.get<SessionDetail>(`/sessions/${key}`)
    const own = money.regimes[0]
    const counted = row.requests.map(({ savedDollars }) => savedDollars ?? 0)
    expect(money).toMatchObject({ own: own?.name, measured: 24 })
    expect((own?.dollars.without ?? 0) - (own?.dollars.with ?? 0)).toBeCloseTo(
      counted.reduce((sum, each) => sum + each, 0),
      6,
    )
    const compared = await served.get<Comparison>(`/sessions/${key}/compare`)
    expect(compared.variants.filter(({ isCurrent }) => isCurrent)).toMatchObject([
      { preset: 'balanced' },
    ])
    expect(compared.requests).toBe(25)
    const { values } = await served.get<Settings>('/settings')
    expect(values.find(({ key: name }) => name === 'schedule')).toMatchObject({
      value: '"economic"',
      sourceKind: 'default',
    })
  })
})

describe('the dashboard changes', () => {
  it('nothing without its token, nor for a web page', async () => {
    await served.send(0, 3)
    const key = await keyOf()
    const body = { paused: true }
    expect((await served.post('/pause', body, {})).status).toBe(401)
    expect((await served.post('/pause', body, { 'x-palimpsest-token': 'guess' })).status).toBe(401)
    const foreign = { 'x-palimpsest-token': 'the-dashboard-token', origin: 'https://evil.example' }
    expect((await served.post('/pause', body, foreign)).status).toBe(403)
    expect((await served.post(`/sessions/${key}/restore`, { handle: 'abcdef' }, {})).status).toBe(
      401,
    )
    expect(await served.get('/status')).toMatchObject({ pause: { all: false, sessions: [] } })
  })

  it('the next request: what is restored is in it in full', async () => {
    await served.send(0, 20)
    const key = await keyOf()
    const { itemList } = await served.get<SessionDetail>(`/sessions/${key}`)
    const pointer = itemList.find(({ spans }) => spans.at(-1)?.shown === 'pointer')
    const shown = pointer?.spans.at(-1)?.text ?? ''
    expect(lastSent()).toContain(shown)
    const { body } = await served.post(`/sessions/${key}/restore`, { handle: pointer?.handle })
    expect(body).toMatchObject({ ok: true, message: expect.stringMatching(/tokens more/) })
    await served.send(20, 21)
    expect(lastSent()).not.toContain(shown)
    expect(lastSent().split('case 299 of alpha passes')).toHaveLength(3)
    const after = await served.get<SessionDetail>(`/sessions/${key}`)
    expect(after.itemList.find(({ handle }) => handle === pointer?.handle)).toMatchObject({
      isProtected: true,
    })
    const again = await served.post(`/sessions/${key}/restore`, { handle: pointer?.handle })
    expect(again.body).toMatchObject({ ok: false })
  })

  it('what may be left out: a protected item stays', async () => {
    await served.send(0, 3)
    const key = await keyOf()
    const { itemList } = await served.get<SessionDetail>(`/sessions/${key}`)
    const first = itemList.find(({ kind, tool }) => kind === 'result' && tool === 'Read')
    expect(await served.post(`/sessions/${key}/protect`, { handle: first?.handle })).toMatchObject({
      body: { ok: true },
    })
    await served.send(3, 25)
    const after = await served.get<SessionDetail>(`/sessions/${key}`)
    const spans = after.itemList.find(({ handle }) => handle === first?.handle)?.spans
    expect(spans?.map(({ shown }) => shown)).toEqual(['full'])
  })

  it('whether anything is pruned, and says so', async () => {
    await served.send(0, 2)
    const key = await keyOf()
    expect(await served.post('/pause', { session: key, paused: true })).toMatchObject({
      status: 200,
      body: { all: false, sessions: [key] },
    })
    await served.send(2, 14)
    expect(JSON.parse(lastSent()).messages).toHaveLength(27)
    expect(lastSent()).not.toContain('same file lines as in')
    expect((await served.get<SessionList>('/sessions')).sessions[0]).toMatchObject({
      isPaused: true,
    })
  })

  it('pages that are open, without a reload', async () => {
    const response = await fetch(`${served.setting.gateway.url}/palimpsest/api/events`)
    const reader = response.body?.getReader()
    await served.send(0, 5)
    let text = ''
    while (!text.includes('"kind":"request"') || !text.includes('"kind":"status"'))
      text += new TextDecoder().decode((await reader?.read())?.value)
    await reader?.cancel()
    expect(text).toContain('"kind":"session"')
  })
})
