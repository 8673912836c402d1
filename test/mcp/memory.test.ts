import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/store/index.ts'
import { runMemoryCommand } from '../memory/run-memory-command.ts'
import { type ConnectedClient, connectClient } from './connected-client.ts'

const home = mkdtempSync(path.join(tmpdir(), 'palimpsest-mcp-memory-'))
let one: ConnectedClient
let other: ConnectedClient

beforeAll(async () => {
  one = await connectClient({ home })
  other = await connectClient({ home, protocol: '2026-07-28' })
}, 60_000)

afterAll(async () => {
  await one?.close()
  await other?.close()
  rmSync(home, { recursive: true, force: true })
})

async function idOf(
  client: ConnectedClient,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  return ((await client.value('memory_add', input)) as { readonly id: string }).id
}

describe('what the server offers', () => {
  it('lists its tools, resource and prompt to clients of both protocols', async () => {
    for (const { client } of [one, other]) {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name).sort()).toEqual([
        'context_info',
        'context_restore',
        'memory_add',
        'memory_check',
        'memory_context',
        'memory_export',
        'memory_forget',
        'memory_get',
        'memory_history',
        'memory_import',
        'memory_list',
        'memory_log',
        'memory_observe',
        'memory_patterns',
        'memory_retract',
        'memory_review',
        'memory_search',
        'memory_supersede',
        'memory_undo',
      ])
      const { resources } = await client.listResources()
      expect(resources.map(({ uri }) => uri)).toEqual(['palimpsest://memory/context'])
      const { prompts } = await client.listPrompts()
      expect(prompts.map(({ name }) => name)).toEqual(['with_memory'])
    }
  })

  it('describes every input as an object without alternatives, which some models refuse', async () => {
    const { tools } = await one.client.listTools()
    for (const { inputSchema } of tools) {
      expect(inputSchema.type).toBe('object')
      expect(JSON.stringify(inputSchema)).not.toMatch(/"(anyOf|oneOf|allOf)"/)
    }
  })
})

describe('memory over the protocol', () => {
  it('adds, finds, supersedes and tells the history', async () => {
    const old = await idOf(one, { kind: 'fact', text: 'the staging cluster is called heron' })
    const found = (await one.value('memory_search', { query: 'staging cluster' })) as {
      id: string
    }[]
    expect(found.map(({ id }) => id)).toEqual([old])
    const newer = await idOf(one, { kind: 'fact', text: 'the staging cluster is called osprey' })
    await one.value('memory_supersede', { old, new: newer, reason: 'it was renamed' })
    const current = (await one.value('memory_search', { query: 'staging cluster' })) as {
      id: string
    }[]
    expect(current.map(({ id }) => id)).toEqual([newer])
    expect(await one.value('memory_history', { id: newer })).toMatchObject([
      { id: old, status: 'superseded', supersededBy: [newer] },
      { id: newer, status: 'current', supersedes: [old] },
    ])
    const undone = await one.value('memory_undo', { id: old })
    expect(undone).toMatchObject({ id: old, status: 'current' })
    expect(await one.value('memory_retract', { id: old })).toMatchObject({ status: 'retracted' })
  })

  it('keeps one value of a preference, and says which it replaced', async () => {
    const tabs = await idOf(one, {
      kind: 'preference',
      category: 'style',
      key: 'indentation',
      value: 'tabs',
    })
    const spaces = await one.value('memory_add', {
      kind: 'preference',
      category: 'style',
      key: 'indentation',
      value: '2 spaces',
    })
    expect(spaces).toMatchObject({ outcome: 'added', value: '2 spaces', supersedes: [tabs] })
    expect(await one.value('memory_get', { id: tabs })).toMatchObject({ current: false })
    const { items } = (await one.value('memory_list', { kind: 'preference' })) as {
      items: unknown[]
    }
    expect(items).toMatchObject([{ value: '2 spaces' }])
    const all = (await one.value('memory_list', { kind: 'preference', all: true })) as {
      items: unknown[]
    }
    expect(all.items).toMatchObject([{ value: 'tabs' }, { value: '2 spaces' }])
  })

  it('lets no conclusion of the assistant replace what the user said', async () => {
    const input = { kind: 'preference', category: 'tooling', key: 'editor' }
    await one.value('memory_add', { ...input, value: 'Helix' })
    await one.value('memory_add', { ...input, value: 'Zed', saidBy: 'assistant' })
    const { items } = (await one.value('memory_list')) as {
      items: { key?: string; value?: string }[]
    }
    expect(items.filter(({ key }) => key === 'editor').map(({ value }) => value)).toContain('Helix')
  })

  it('gives the current context as a tool, a resource and a prompt', async () => {
    await one.value('memory_add', { kind: 'decision', text: 'Use PostgreSQL', why: 'we know it' })
    const { text } = await one.call('memory_context')
    expect(text).toContain('PostgreSQL')
    expect(text).toContain('2 spaces')
    expect(text).not.toContain('tabs')
    const { contents } = await one.client.readResource({ uri: 'palimpsest://memory/context' })
    expect(contents).toMatchObject([{ mimeType: 'text/plain', text }])
    const { messages } = await one.client.getPrompt({
      name: 'with_memory',
      arguments: { task: 'add a table to the database' },
    })
    expect(messages).toMatchObject([
      {
        role: 'user',
        content: { text: expect.stringMatching(/PostgreSQL[\s\S]*Task: add a table/) },
      },
    ])
  })

  it('keeps what belongs to another project to that project', async () => {
    const there = await connectClient({ home, args: ['--project', 'there'] })
    const fact = { kind: 'fact', text: 'the walrus is the mascot', scope: 'project' }
    const id = await idOf(there, fact)
    const found = async (client: ConnectedClient): Promise<readonly string[]> => {
      const hits = (await client.value('memory_search', { query: 'walrus mascot' })) as {
        id: string
      }[]
      const list = (await client.value('memory_list')) as { items: { id: string }[] }
      return [...hits, ...list.items].map((item) => item.id).filter((each) => each === id)
    }
    expect(await found(there)).toEqual([id, id])
    expect(await found(one)).toEqual([])
    for (const [name, input] of [
      ['memory_get', { id }],
      ['memory_history', { id }],
      ['memory_retract', { id }],
      ['memory_undo', { id }],
      ['memory_supersede', { old: id, new: id }],
      ['memory_forget', { ids: [id] }],
    ] as const)
      expect([name, await one.call(name, input)]).toEqual([
        name,
        { text: `there is no memory item ${id}`, isError: true },
      ])
    for (const name of ['memory_export', 'memory_patterns', 'memory_check', 'memory_review'])
      expect([name, (await one.call(name)).text]).toEqual([name, expect.not.stringContaining(id)])
    const scope = 'project:there'
    expect(await one.call('memory_add', { ...fact, scope })).toMatchObject({
      isError: true,
      text: expect.stringContaining("'project:there' is not a scope"),
    })
    const line = JSON.stringify({ kind: 'fact', text: 'the walrus left', scope })
    expect(await one.value('memory_import', { text: line })).toMatchObject({
      added: 0,
      refused: ['1 items belong to other projects'],
    })
    await there.close()
  })

  it('finds only what was said in sessions of this folder', async () => {
    const said = (session: string, text: string): string =>
      JSON.stringify({ id: '1', role: 'user', text, session })
    const store = await openStore({ kind: 'sqlite', path: path.join(home, 'palimpsest.db') })
    await store.openSession({ id: 'here', origin: 'test', folder: realpathSync(home) })
    await store.openSession({ id: 'there', origin: 'test', folder: '/another/project' })
    await store.close()
    for (const session of ['here', 'there'])
      await runMemoryCommand(
        { folder: home, now: Date.now },
        ['observe', '--json', '--session', session],
        `${said(session, `We talked about the platypus ${session}.`)}\n`,
      )
    const hits = (await one.value('memory_search', { query: 'platypus' })) as { text: string }[]
    expect(hits.map(({ text }) => text)).toEqual(['We talked about the platypus here.'])
  })

  it('is reviewed, checked, carried elsewhere and looked at for patterns', async () => {
    const motto = { kind: 'fact', key: 'motto' }
    await one.value('memory_add', { ...motto, text: 'our motto is "small"', value: 'small' })
    await one.value('memory_add', { ...motto, text: 'our motto is "smaller"', value: 'smaller' })
    const flags = (await one.value('memory_review')) as { id: string; texts: string[] }[]
    expect(flags.map(({ texts }) => texts)).toEqual([
      ['our motto is "small"', 'our motto is "smaller"'],
    ])
    expect(await one.value('memory_review', { flag: flags[0]!.id, verdict: 'newer' })).toEqual([])
    expect(await one.call('memory_review', { flag: 'x' })).toMatchObject({ isError: true })
    expect(await one.value('memory_check')).toEqual([])
    for (const value of ['a', 'b', 'a'])
      await one.value('memory_add', { kind: 'preference', category: 'c', key: 'k', value })
    expect(await one.value('memory_patterns')).toMatchObject({
      unstable: [{ key: 'k', values: ['a', 'b', 'a'], advice: expect.any(String) }],
    })
    const elsewhere = await connectClient({
      home: mkdtempSync(path.join(home, 'elsewhere-')),
      args: ['--project', home],
    })
    const { text } = await one.call('memory_export')
    await elsewhere.value('memory_import', { text })
    expect((await elsewhere.call('memory_export')).text.split('\n')).toHaveLength(
      text.split('\n').length,
    )
    const markdown = (await one.call('memory_export', { format: 'markdown' })).text
    expect(markdown).toContain('- our motto is "smaller"')
    expect(markdown).not.toContain('"small"')
    expect(
      await elsewhere.value('memory_import', { text: markdown, format: 'markdown' }),
    ).toMatchObject({ added: 0, refused: [] })
    await elsewhere.close()
  })

  it('shares one store with a server that runs at the same time', async () => {
    const texts = Array.from({ length: 20 }, (_, place) => `shared fact number ${place}`)
    await Promise.all(
      texts.map((text, place) =>
        (place % 2 === 0 ? one : other).value('memory_add', { kind: 'fact', text }),
      ),
    )
    for (const client of [one, other]) {
      const { items } = (await client.value('memory_list', { kind: 'fact' })) as {
        items: { text: string }[]
      }
      const shared = items.map(({ text }) => text).filter((text) => text.startsWith('shared'))
      expect(shared.toSorted()).toEqual(texts.toSorted())
    }
    const gone = await idOf(one, { kind: 'fact', text: 'the door code is 4711' })
    const asking = await connectClient({ home, elicitation: { confirm: true } })
    expect(await asking.value('memory_forget', { ids: [gone] })).toMatchObject({
      forgotten: [gone],
    })
    await asking.close()
    expect(await one.call('memory_get', { id: gone })).toMatchObject({ isError: true })
    expect(await one.value('memory_search', { query: 'door code', all: true })).toEqual([])
  })
})

describe('what cannot be taken back', () => {
  const fact = { kind: 'fact', text: 'the alarm code is 0815' }
  const audit = async (): Promise<unknown> => {
    const { out } = await runMemoryCommand({ folder: home, now: Date.now }, ['audit', '--json'])
    return (JSON.parse(out) as unknown[]).at(-1)
  }

  it('is not done by an agent alone: the answer is the command for a person', async () => {
    for (const client of [one, other]) {
      const id = await idOf(client, fact)
      const answer = await client.call('memory_forget', { ids: [id], search: "0815'; rm -rf ~ #" })
      expect(answer).toEqual({
        isError: true,
        text: `Nothing was changed: a person has to agree to this. Ask the user to run: palimpsest memory forget ${id} --search '0815'\\''; rm -rf ~ #'`,
      })
      expect(await client.value('memory_get', { id })).toMatchObject({ text: fact.text })
      expect(await audit()).toMatchObject({
        action: 'memory forget',
        door: 'mcp',
        consent: 'refused',
        ids: [id],
      })
    }
  })

  it.each([
    ['of 2025', {}],
    ['of 2026', { protocol: '2026-07-28' }],
  ] as const)('is asked of the person by a client %s, and only done on a yes', async (_, how) => {
    const id = await idOf(one, fact)
    const no = await connectClient({ home, ...how, elicitation: { confirm: false } })
    expect(await no.call('memory_forget', { ids: [id] })).toMatchObject({ isError: true })
    expect(no.questions).toEqual([expect.stringContaining(`- ${fact.text}`)])
    expect(await one.value('memory_get', { id })).toMatchObject({ text: fact.text })
    const yes = await connectClient({ home, ...how, elicitation: { confirm: true } })
    expect(await yes.value('memory_forget', { ids: [id] })).toMatchObject({ forgotten: [id] })
    expect(await one.call('memory_get', { id })).toMatchObject({ isError: true })
    expect(await audit()).toMatchObject({ consent: 'asked', door: 'mcp', ids: [id] })
    await no.close()
    await yes.close()
  })

  it('is asked before an import supersedes or retracts what is there', async () => {
    const id = await idOf(one, { kind: 'fact', text: 'the ferry leaves at noon' })
    const text = JSON.stringify({
      id,
      kind: 'fact',
      text: 'the ferry leaves at noon',
      retracted: true,
    })
    expect(await one.call('memory_import', { text })).toMatchObject({
      isError: true,
      text: expect.stringContaining('palimpsest memory import FILE'),
    })
    expect(await one.value('memory_get', { id })).toMatchObject({ status: 'current' })
    const yes = await connectClient({ home, elicitation: { confirm: true } })
    await yes.value('memory_import', { text })
    expect(await one.value('memory_get', { id })).toMatchObject({ status: 'retracted' })
    await yes.close()
  })
})

describe('what is not understood', () => {
  it('is answered with the reason, and the server goes on', async () => {
    const cases = [
      ['memory_add', { kind: 'preference', key: 'editor' }, /category, key and value/],
      ['memory_add', { kind: 'fact', text: '  ' }, /needs text/],
      ['memory_add', { kind: 'fact', text: 'x', scope: 'galaxy' }, /'galaxy' is not a scope/],
      ['memory_add', { kind: 'fact', text: 'x', since: 'soonish' }, /'soonish' is not a date/],
      ['memory_add', { kind: 'opinion', text: 'x' }, /kind/],
      ['memory_get', { id: 'fact_none' }, /no memory item fact_none/],
      ['memory_history', { id: 'fact_none' }, /no memory item fact_none/],
      ['memory_supersede', { old: 'fact_none', new: 'fact_other' }, /fact_none/],
      ['memory_forget', {}, /name the items/],
      ['memory_forget', { ids: ['fact_none'] }, /no memory item fact_none/],
      ['memory_search', {}, /query/],
    ] as const
    for (const [name, input, reason] of cases) {
      const answer = await one.call(name, input)
      expect([name, input, answer]).toEqual([
        name,
        input,
        { text: expect.stringMatching(reason), isError: true },
      ])
    }
    expect((await one.call('memory_list')).isError).toBe(false)
    expect(one.errors).toBe('')
  })
})
