import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openCodeStorageReader } from './opencode-storage.ts'
import { readRecording } from './read-recording.ts'
import type { Recording, RecordingProblem } from './recording.ts'

type Fields = Readonly<Record<string, unknown>>

function readValues(values: readonly unknown[]): {
  recordings: readonly Recording[]
  problems: RecordingProblem[]
} {
  const problems: RecordingProblem[] = []
  const builder = openCodeStorageReader.open((problem) => problems.push(problem))
  for (const [index, value] of values.entries()) builder.add(value, index + 1)
  return { recordings: builder.end(), problems }
}

function message(session: string, id: string, at: number, more: Fields = {}): Fields {
  return { id, sessionID: session, role: 'user', time: { created: at }, ...more }
}

function answer(session: string, id: string, at: number, more: Fields = {}): Fields {
  const path = { cwd: `/src/${session}`, root: '/' }
  return message(session, id, at, { role: 'assistant', modelID: `model-${session}`, path, ...more })
}

function part(session: string, messageID: string, id: string, more: Fields): Fields {
  return { id, sessionID: session, messageID, ...more }
}

function text(session: string, messageID: string, id: string, words: string): Fields {
  return part(session, messageID, id, { type: 'text', text: words })
}

function call(session: string, messageID: string, id: string, output: string): Fields {
  const state = { status: 'completed', input: {}, output, metadata: { output }, time: { start: 5 } }
  return part(session, messageID, id, { type: 'tool', tool: 'bash', callID: 'c', state })
}

function words(recording: Recording): readonly string[] {
  return recording.events.flatMap((event) =>
    event.kind === 'message' ? event.message.items.map((item) => item.text) : [],
  )
}

const twoSessions: readonly unknown[] = [
  text('ses_a', 'msg_1', 'prt_1', 'a one'),
  message('ses_a', 'msg_1', 10),
  { id: 'project', worktree: '/src', vcs: 'git' },
  call('ses_a', 'msg_3', 'prt_5', 'a out'),
  text('ses_a', 'msg_3', 'prt_4', 'a two'),
  answer('ses_a', 'msg_3', 30),
  { id: 'aaaaaaaa', secret: '<REDACTED>', url: 'https://example.org/s/aaaaaaaa' },
  { id: 'ses_a', projectID: 'p', title: 'A', version: '1.0', directory: '/src/a', time: {} },
  [{ id: '1', content: 'test it', status: 'pending', priority: 'high' }],
  text('ses_b', 'msg_2', 'prt_2', 'b one'),
  message('ses_b', 'msg_2', 20),
  text('ses_b', 'msg_4', 'prt_6', 'b two'),
  answer('ses_b', 'msg_4', 40),
  { id: 'ses_b', projectID: 'q', title: 'B', version: '1.0', parentID: 'ses_a' },
  [{ file: 'x.ts', before: 'x', after: 'y', additions: 1, deletions: 1 }],
]

describe('a dump of OpenCode storage', () => {
  it('is split into its sessions, each with its own model, folder and parent', () => {
    const { recordings, problems } = readValues(twoSessions)
    expect(problems).toEqual([])
    expect(
      recordings.map(({ session, parent, model, cwd, messages }) => {
        return { session, parent, model, cwd, messages }
      }),
    ).toEqual([
      { session: 'ses_a', parent: null, model: 'model-ses_a', cwd: '/src/a', messages: 2 },
      { session: 'ses_b', parent: 'ses_a', model: 'model-ses_b', cwd: '/src/ses_b', messages: 2 },
    ])
    expect(recordings.map(words)).toEqual([
      ['a one', 'a two', '{}', 'a out'],
      ['b one', 'b two'],
    ])
  })

  it('says the same whatever the order of its values', () => {
    const expected = bySession(readValues(twoSessions).recordings)
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...twoSessions], { minLength: twoSessions.length }),
        (values) => {
          expect(bySession(readValues(values).recordings)).toEqual(expected)
        },
      ),
    )
  })

  it('is found by content in a file of pretty-printed values', async () => {
    const pretty = twoSessions.map((value) => JSON.stringify(value, null, 2)).join('\n')
    const file = await readRecording([pretty])
    expect(file.format).toBe('opencode-storage')
    expect(file.recordings).toEqual(readValues(twoSessions).recordings)
  })

  it('keeps sessions apart whose ids were redacted, by their working directory', () => {
    const values = [
      text('REDACTED', 'msg_1', 'prt_1', 'shop'),
      message('REDACTED', 'msg_1', 10),
      answer('REDACTED', 'msg_2', 20, { parentID: 'msg_1', path: { cwd: '/shop' } }),
      text('REDACTED', 'msg_3', 'prt_3', 'blog'),
      message('REDACTED', 'msg_3', 15),
      answer('REDACTED', 'msg_4', 25, { parentID: 'msg_3', path: { cwd: '/blog' } }),
      message('ses_c', 'msg_5', 30),
    ]
    const { recordings } = readValues(values)
    expect(recordings.map(({ session, cwd, messages }) => ({ session, cwd, messages }))).toEqual([
      { session: null, cwd: '/shop', messages: 2 },
      { session: null, cwd: '/blog', messages: 2 },
      { session: 'ses_c', cwd: null, messages: 1 },
    ])
    expect(recordings.slice(0, 2).map(words)).toEqual([['shop'], ['blog']])
  })

  it('finds the session of a message by its parts when only the message lost it', () => {
    const { recordings } = readValues([
      text('ses_a', 'msg_1', 'prt_1', 'x'),
      message('REDACTED', 'msg_1', 10),
      answer('REDACTED', 'msg_2', 20, { parentID: 'msg_1' }),
    ])
    expect(recordings.map(({ session, messages }) => ({ session, messages }))).toEqual([
      { session: 'ses_a', messages: 2 },
    ])
  })

  it('puts parts of redacted messages to the message that follows them', () => {
    const { recordings } = readValues([
      text('ses_a', 'REDACTED', 'prt_1', 'first'),
      message('ses_a', 'REDACTED', 10),
      text('ses_a', 'REDACTED', 'prt_2', 'second'),
      call('ses_a', 'REDACTED', 'prt_3', 'out'),
      answer('ses_a', 'REDACTED', 20),
    ])
    expect(recordings.map(words)).toEqual([['first', 'second', '{}', 'out']])
    expect(recordings[0]!.messages).toBe(2)
  })

  it('lets redacted parts keep their place while the others are sorted by id', () => {
    const { recordings } = readValues([
      text('ses_a', 'msg_1', 'prt_3', 'third'),
      text('ses_a', 'msg_1', 'REDACTED', 'nameless'),
      text('ses_a', 'msg_1', 'prt_1', 'first'),
      message('ses_a', 'msg_1', 10),
    ])
    expect(words(recordings[0]!)).toEqual(['first', 'nameless', 'third'])
  })

  it('takes the newest state of a value that was stored twice', () => {
    const { recordings } = readValues([
      text('ses_a', 'msg_1', 'prt_1', 'dra'),
      message('ses_a', 'msg_1', 10),
      text('ses_a', 'msg_1', 'prt_1', 'draft'),
    ])
    expect(recordings.map(words)).toEqual([['draft']])
  })

  it('reports a part whose message is not there', () => {
    const { recordings, problems } = readValues([
      message('ses_a', 'msg_1', 10),
      text('ses_a', 'msg_9', 'prt_1', 'lost'),
    ])
    expect(recordings.map(words)).toEqual([[]])
    expect(problems).toEqual([{ line: 2, message: 'a part of a message that is not in the file' }])
  })

  it.each([
    ['database rows', (data: Fields, links: Fields) => ({ ...links, data })],
    [
      'database rows with text',
      (data: Fields, links: Fields) => ({ ...links, data: JSON.stringify(data) }),
    ],
  ])('reads %s', (_, row) => {
    const { recordings } = readValues([
      { id: 'ses_a', project_id: 'p', parent_id: 'ses_0', directory: '/shop' },
      row({ role: 'user', time: { created: 1 } }, { id: 'msg_1', session_id: 'ses_a' }),
      row(
        { type: 'text', text: 'hello' },
        { id: 'prt_1', message_id: 'msg_1', session_id: 'ses_a' },
      ),
    ])
    expect(recordings.map(({ session, parent, cwd }) => ({ session, parent, cwd }))).toEqual([
      { session: 'ses_a', parent: 'ses_0', cwd: '/shop' },
    ])
    expect(recordings.map(words)).toEqual([['hello']])
  })

  it('reads a shared session, a keyed dump and messages with their parts inside', () => {
    const inside = {
      info: message('ses_a', 'msg_1', 1),
      parts: [{ id: 'prt_1', type: 'text', text: 'in' }],
    }
    const shared = { type: 'message', data: message('ses_a', 'msg_2', 2) }
    const keyed = {
      key: ['part', 'msg_2', 'prt_2'],
      value: text('ses_a', 'msg_2', 'prt_2', 'keyed'),
    }
    expect(readValues([[inside], shared, keyed]).recordings.map(words)).toEqual([['in', 'keyed']])
  })
})

function bySession(recordings: readonly Recording[]): readonly Recording[] {
  return recordings.toSorted((one, other) => (one.session! < other.session! ? -1 : 1))
}
