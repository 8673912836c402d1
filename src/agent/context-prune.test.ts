import { describe, expect, it } from 'vitest'
import { asked, said, thought, toldAgent } from '../../test/agent/told-agent.ts'
import { lines, messagesOf, only, type ToldCall } from '../../test/engine/told-session.ts'
import { presets } from '../config/presets.ts'
import type { MessageDraft } from '../core/words/item.ts'
import { contextPrune } from './context-prune.ts'

const ran = (id: string, output = lines(1, 30, id)): ToldCall => ({
  id,
  tool: 'bash',
  input: { command: `run ${id}` },
  output,
})
const settings = only({ agentProtectedTools: ['write', 'todowrite'] })
const textsOf = (messages: readonly MessageDraft[]): readonly string[] =>
  messages.flatMap(({ items }) => items.map(({ text }) => text))
const shows = (messages: readonly MessageDraft[], words: string): boolean =>
  textsOf(messages).some((text) => text.includes(words))

describe('context_prune, discard', () => {
  it('answers each target by itself, and only what the next request lacks is pruned', () => {
    const write: ToldCall = {
      id: 'w',
      tool: 'write',
      input: { filePath: '/a', content: 'x' },
      output: lines(1, 20, 'w'),
    }
    const session = toldAgent(messagesOf([[ran('a')], [ran('b')], [write], [ran('d')]]), settings)
    const [a, b, w] = ['a', 'b', 'w'].map((id) => session.handleOf(id)) as [string, string, string]
    contextPrune(session, { action: 'discard', targets: [[b]] })
    const { answers, text } = contextPrune(session, {
      action: 'discard',
      targets: [[a], [b], [w], ['ffffff'], ['not hex']],
    })
    expect(answers.map(({ outcome }) => outcome.kind)).toEqual([
      'pruned',
      'already pruned',
      'protected',
      'unknown',
      'invalid',
    ])
    expect(text.split('\n').filter((line) => line.startsWith('✓')).length).toBe(1)
    const next = session.next([said('Done.')])
    expect(shows(next, 'a 7 of a text')).toBe(false)
    expect(shows(next, `context_restore ${a}`)).toBe(true)
    expect(shows(next, 'w 7 of a text')).toBe(true)
    expect(shows(next, 'd 7 of a text')).toBe(true)
  })

  it('says that digits are ambiguous when they begin several handles', () => {
    const session = toldAgent(messagesOf([[ran('a')], [ran('b')]]), settings)
    const handles = session.history.flatMap(({ items }) => items.map(({ handle }) => handle))
    const doubled = {
      ...session,
      history: session.history.map((message) => ({
        ...message,
        items: message.items.map((item, at) => ({
          ...item,
          handle: `abcdef${at}${message.index}`,
        })),
      })),
    }
    expect(handles.length).toBeGreaterThan(1)
    const { answers } = contextPrune(doubled, { action: 'discard', targets: [['abcdef']] })
    expect(answers.map(({ outcome }) => outcome.kind)).toEqual(['ambiguous'])
  })

  it('says that what is recent is protected, and does not do it later', () => {
    const session = toldAgent(messagesOf([[ran('a')], [ran('b')]]), only({ turnProtection: 2 }))
    const { answers } = contextPrune(session, {
      action: 'discard',
      targets: [[session.handleOf('b')]],
    })
    expect(answers[0]?.outcome).toEqual({ kind: 'protected', why: 'it is recent: from turn 5 on' })
    expect(shows(session.next([said('a'), said('b'), said('c'), said('d')]), 'b 7 of')).toBe(true)
  })

  it('never says "✓" where the door cannot write it', () => {
    const session = toldAgent(messagesOf([[ran('a')], [ran('b')]]), settings, {
      refusal: () => 'the part is signed',
    })
    const { text } = contextPrune(session, {
      action: 'discard',
      targets: [[session.handleOf('a')]],
    })
    expect(text).not.toContain('✓')
    expect(shows(session.next([said('Done.')]), 'a 7 of a text')).toBe(true)
  })

  it('takes messages and reasoning: unsigned reasoning stays as a dash, signed is refused', () => {
    const long = lines(1, 10, 'thought')
    const session = toldAgent(
      [asked('Go.'), thought(long), said(lines(1, 10, 'said')), thought(`${long}!`, 'signed')],
      { ...settings, schedule: 'economic' },
    )
    const items = session.history.flatMap((message) => message.items)
    const [plain, signed] = items.filter(({ kind }) => kind === 'reasoning')
    const message = items.find(({ text }) => text.startsWith('said 1'))
    const targets = [plain, message, signed].map((item) => [item?.handle ?? ''])
    const { answers } = contextPrune(session, { action: 'discard', targets })
    expect(answers.map(({ outcome }) => outcome.kind)).toEqual(['pruned', 'pruned', 'protected'])
    const next = textsOf(session.next([asked('More.')]))
    expect(next).toContain('—')
    expect(next).toContain(`${long}!`)
    expect(next.some((text) => text.startsWith('said 1'))).toBe(false)
  })

  it('understands handles as models write them', () => {
    for (const write of [
      (handle: string): unknown => [[handle]],
      (handle: string): unknown => [handle],
      (handle: string): unknown => JSON.stringify([[handle]]),
      (handle: string): unknown => [[`[handle ${handle.toUpperCase()}]`]],
    ]) {
      const session = toldAgent(messagesOf([[ran('a')], [ran('b')]]), settings)
      const targets = write(session.handleOf('a'))
      const { answers } = contextPrune(session, { action: 'discard', targets })
      expect(answers.map(({ outcome }) => outcome.kind)).toEqual(['pruned'])
    }
  })

  it('refuses what is no request at all, and prunes nothing', () => {
    const session = toldAgent(messagesOf([[ran('a')]]), settings)
    for (const input of [
      null,
      'x',
      {},
      { action: 'drop', targets: [['abcdef']] },
      { action: 'discard' },
    ])
      expect(contextPrune(session, input).answers).toEqual([])
    expect(session.engine.ledger.decided()).toEqual([])
  })
})

describe('context_prune, distill', () => {
  it('keeps the summary in the place of the output, also after later prunes', () => {
    const session = toldAgent(messagesOf([[ran('a')], [ran('b')], [ran('c')]]), presets.acp)
    contextPrune(session, {
      action: 'distill',
      targets: [[session.handleOf('a'), 'KEY FACT: port 9999']],
    })
    contextPrune(session, { action: 'discard', targets: [[session.handleOf('b')]] })
    const next = session.next([said('Done.')])
    expect(shows(next, 'KEY FACT: port 9999')).toBe(true)
    expect(shows(next, 'a 7 of a text')).toBe(false)
    expect(shows(next, 'b 7 of a text')).toBe(false)
  })

  it('refuses a summary that is no shorter than the original', () => {
    const session = toldAgent(messagesOf([[ran('a', 'short')], [ran('b')]]), settings)
    const { answers } = contextPrune(session, {
      action: 'distill',
      targets: [[session.handleOf('a'), 'a summary that is much longer']],
    })
    expect(answers[0]?.outcome).toEqual({ kind: 'protected', why: 'no shorter than the original' })
  })
})

describe('context_prune, replace', () => {
  const plan = `The plan begins here. ${'It goes on and on. '.repeat(10)}The plan ends here. And then we start.`
  const begin = 'The plan begins here.'
  const end = 'The plan ends here.'

  it('replaces the one span between its markers, and keeps what stands around it', () => {
    const session = toldAgent([asked('Go.'), said(plan), asked('Yes.')], settings)
    const targets = [[begin, end, 'Plan: start.']]
    const { answers } = contextPrune(session, { action: 'replace', targets })
    expect(answers.map(({ outcome }) => outcome.kind)).toEqual(['pruned'])
    const [, shown] = textsOf(session.next([said('Done.')]))
    expect(shown).toMatch(/^Plan: start\. \[context_restore [0-9a-f]{6}\] And then we start\.$/)
  })

  it('keeps its limits: markers, length, one match, no overlap, never the user', () => {
    const twice = said(`${plan}\n${plan}`)
    const session = toldAgent(
      [asked(lines(1, 9, 'wish')), twice, said(lines(1, 9, 'other'))],
      settings,
    )
    const outcome = (...target: string[]): unknown =>
      contextPrune(session, { action: 'replace', targets: [target] }).answers[0]?.outcome.kind
    expect({
      shortMarkers: outcome('The plan', 'ends here', 'x'),
      shortSpan: outcome('other 1 of a text', ' that', 'x'),
      twoMatches: outcome(begin, end, 'x'),
      nowhere: outcome('no such words stand here', 'at all', 'x'),
      ofTheUser: outcome('wish 1 of a text', 'wish 9 of a text', 'x'),
      missing: outcome(begin, end),
    }).toEqual({
      shortMarkers: 'invalid',
      shortSpan: 'invalid',
      twoMatches: 'ambiguous',
      nowhere: 'unknown',
      ofTheUser: 'protected',
      missing: 'invalid',
    })
    const targets = [
      ['other 1 of a text', 'other 4 of a text', 'x'],
      ['other 3 of a text', 'other 6 of a text', 'y'],
      ['other 7 of a text', 'other 9 of a text', 'z'],
    ]
    const { answers } = contextPrune(session, { action: 'replace', targets })
    expect(answers.map((each) => each.outcome.kind)).toEqual(['pruned', 'invalid', 'pruned'])
  })
})
