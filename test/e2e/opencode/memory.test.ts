import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Memory, openSqliteLog } from '../../../src/memory/index.ts'
import { bundledCommand } from '../../bundled-program.ts'
import { receivedItems } from './received.ts'
import { hostCommand, hostTitle, type ServedSession, serveSession } from './served-session.ts'
import { begin, command, post } from './steps.ts'

const uri = 'palimpsest://memory/context'
const name = 'palimpsest:with_memory'

/** A resource as the host's own clients attach it when a person mentions it with @. */
const attached = {
  type: 'file',
  mime: 'text/plain',
  filename: 'memory-context',
  url: uri,
  source: {
    type: 'resource',
    clientName: 'palimpsest',
    uri,
    text: { value: '@memory-context', start: 0, end: 15 },
  },
}

describe.skipIf(hostCommand === null)(hostTitle('the memory server in OpenCode'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-host-memory-'))
  let session: ServedSession

  beforeAll(async () => {
    const store = join(folder, 'store.db')
    let names = 0
    const newId = (): string => `item_${++names}`
    const memory = new Memory({ log: openSqliteLog(store), now: Date.now, newId })
    memory.add({ kind: 'fact', text: 'the staging host is otter.example' })
    memory.close()
    const server = [process.execPath, await bundledCommand(), 'mcp', '--store', store]
    session = await serveSession({
      plugin: null,
      host: { mcp: { palimpsest: { type: 'local', command: server, enabled: true } } },
      scenario: () => ({
        aux: 'A title',
        turns: [{ text: 'Deployed.' }, { text: 'Read.' }, { text: 'Done.' }],
      }),
      steps: () => [
        begin('c'),
        { kind: 'call', method: 'GET', path: '/command' },
        { kind: 'call', method: 'GET', path: '/experimental/resource' },
        command('c', 'deploy to staging and look at the log', name),
        begin('d'),
        post('/session/{d}/message', { parts: [{ type: 'text', text: 'Read it.' }, attached] }),
        { kind: 'stop' },
        { kind: 'run', args: ['run', '--command', name, 'check the staging host'] },
      ],
    })
  }, 300_000)

  afterAll(() => {
    session?.remove()
    rmSync(folder, { recursive: true })
  })

  const remembered = 'Facts:\n- the staging host is otter.example'
  const prompted = (task: string): string =>
    `text: What is remembered from earlier sessions:\n\n${remembered}\n\nTask: ${task}`

  it('offers its prompt as a command and its resource to whoever mentions it', () => {
    const [, commands, resources] = session.answers
    expect(commands?.body).toContainEqual(
      expect.objectContaining({ name, source: 'mcp', hints: ['$1'] }),
    )
    expect(Object.values(resources?.body ?? {})).toMatchObject([
      { name: 'memory-context', uri, client: 'palimpsest' },
    ])
  })

  it('starts a task from the prompt, by the server and by `run`, with all of its words', () => {
    expect(session.answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 0])
    const [served, , ran] = session.requests
    expect(receivedItems(served!)).toEqual([prompted('deploy to staging and look at the log')])
    expect(receivedItems(ran!)).toEqual([prompted('check the staging host')])
  })

  it('puts the resource beside the message that mentions it', () => {
    expect(receivedItems(session.requests[1]!)).toEqual([
      'text: Read it.',
      `text: Reading MCP resource: memory-context (${uri})`,
      `text: ${remembered}`,
    ])
  })
})
