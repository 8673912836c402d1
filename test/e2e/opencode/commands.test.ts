import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { longFiles } from './long-scenario.ts'
import { receivedItems } from './received.ts'
import type { ServeStep } from './serve-plan.ts'
import { hostCommand, hostTitle, type ServedSession, serveSession } from './served-session.ts'
import { answerText, begin, command, post, say, stored } from './steps.ts'

const run = (name: string, words: string): ServeStep => ({
  kind: 'run',
  args: ['run', '--session', '{c}', '--command', name, words],
})

/** Each step by the name under which the test asks for its answer. */
const named: readonly (readonly [name: string, step: ServeStep])[] = [
  ['begin', begin('c')],
  ['first', say('c', 'Read both.')],
  ['help', command('c', '')],
  ['list', { ...command('c', 'list'), saveHandleAs: 'h' }],
  ['explain', command('c', 'explain {h}')],
  ['prune', command('c', 'prune {h}')],
  ['again', command('c', 'prune {h} ffffff')],
  ['sweep', command('c', 'sweep 1')],
  ['second', say('c', 'Go on.')],
  ['explained', command('c', 'explain {h}')],
  ['restore', command('c', 'restore {h}')],
  ['third', say('c', 'Is it back?')],
  ['stored', { ...stored('c'), saveAs: 'last' }],
  ['undo', post('/session/{c}/revert', { messageID: '{last}' })],
  ['redo', post('/session/{c}/unrevert', {})],
  ['fourth', say('c', 'After the redo.')],
  ['alias', command('c', 'context', 'palimpsest')],
  ['stop', { kind: 'stop' }],
  ['run stats', run('acp', 'stats')],
  ['run context', run('palimpsest', 'context')],
]

describe.skipIf(hostCommand === null)(hostTitle('the commands in OpenCode'), () => {
  let session: ServedSession
  const answered = named.map(([name]) => name).filter((name) => name !== 'stop')
  const answer = (name: string): string => answerText(session.answers[answered.indexOf(name)]?.body)
  const printed = (name: string): unknown => session.answers[answered.indexOf(name)]
  const shown = (request: number): readonly string[] => receivedItems(session.requests[request]!)
  const handle = (): string => /\b[0-9a-f]{6}\b/.exec(answer('list'))?.[0] ?? ''

  beforeAll(async () => {
    session = await serveSession({
      format: 'openai-chat',
      files: longFiles,
      options: { turnProtection: 0 },
      scenario: (project) => ({
        aux: 'A title',
        turns: [
          { operations: [{ kind: 'read', path: `${project}/a.ts` }] },
          { operations: [{ kind: 'read', path: `${project}/b.ts` }] },
          { text: 'Both are read.' },
          { text: 'I went on. [handle 000000] is what I see.' },
          { text: 'It is back.' },
          { text: 'Redone.' },
        ],
      }),
      steps: () => named.map(([, step]) => step),
    })
  }, 300_000)

  afterAll(() => session?.remove())

  it('cost no call to the model, end without an error, and are in no request', () => {
    const codes = answered.map((name) => (name.startsWith('run ') ? 0 : 200))
    expect(session.answers.map(({ status }) => status)).toEqual(codes)
    expect(session.all.length).toBe(6)
    expect(session.all.flatMap(({ violations }) => violations)).toEqual([])
    expect(session.all.map(({ body }) => body).join()).not.toContain('/acp')
  })

  it('list, explain and prune: the next request lacks it, and says how to get it back', () => {
    expect(answer('help')).toContain('  sweep [n]')
    expect(answer('list')).toMatch(/[0-9a-f]{6} +~[\d.]+K? +read .*a\.ts lines 1–80/)
    expect(answer('explain')).toContain('shown in full')
    expect(answer('prune')).toContain(`✓ ${handle()} pruned`)
    expect(answer('again')).toContain(`– ${handle()} already pruned`)
    expect(answer('again')).toContain('✗ ffffff unknown')
    expect(answer('sweep')).toMatch(/discard: 1 of 1 pruned/)
    expect(shown(2).join('\n')).toContain('const a30 =')
    expect(shown(3).join('\n')).not.toContain('const a30 =')
    expect(shown(3).join('\n')).not.toContain('const b30 =')
    expect(shown(3).join('\n')).toContain(`discarded by the user · context_restore ${handle()}`)
    expect(answer('explained')).toContain('shown as discarded since turn 3')
  })

  it('restore: the next request shows it as it was', () => {
    expect(answer('restore')).toContain(`✓ ${handle()} is shown in full again`)
    const whole = shown(2).find((line) => line.includes('const a30 ='))
    expect(shown(4)).toContain(whole)
    expect(shown(4).join('\n')).not.toContain('const b30 =')
  })

  it('leave the bytes as they were after an undo and a redo', () => {
    expect(shown(5).slice(0, shown(4).length)).toEqual(shown(4))
    expect(shown(5).at(-1)).toBe('text: After the redo.')
  })

  it('answer to the other name, and to `run`', () => {
    expect(answer('alias')).toContain('Pruning funnel:')
    expect(printed('run stats')).toMatchObject({
      body: { printed: expect.stringMatching(/All time: 1 conversations, 6 requests/) },
    })
    expect(printed('run context')).toMatchObject({
      body: { printed: expect.stringContaining('Pruning funnel:') },
    })
  })

  it('a handle in the words of the model is words', () => {
    expect(shown(5).join('\n')).toContain('text: I went on. [handle 000000] is what I see.')
  })
})
