import { describe, expect, it } from 'vitest'
import { toldAgent } from '../../test/agent/told-agent.ts'
import { lines, messagesOf, only } from '../../test/engine/told-session.ts'
import { contextPrune } from './context-prune.ts'
import { contextRestore } from './context-restore.ts'

const output = lines(1, 300, 'row')
const calls = [{ id: 'a', tool: 'bash', input: { command: 'run' }, output }]
const later = [{ id: 'b', tool: 'bash', input: { command: 'other' }, output: 'done' }]

describe('context_restore', () => {
  it('gives the original of what was pruned, whole, and changes nothing that was sent', async () => {
    const session = toldAgent(messagesOf([calls, later]), only({}))
    const handle = session.handleOf('a')
    contextPrune(session, { action: 'discard', targets: [[handle]] })
    const before = session.next()
    expect(await contextRestore(session, { handle })).toBe(output)
    expect(session.next()).toEqual(before)
  })

  it('gives lines and matches', async () => {
    const session = toldAgent(messagesOf([calls, later]), only({}))
    const handle = session.handleOf('a')
    const all = output.split('\n')
    const restored = (more: object): Promise<string> => contextRestore(session, { handle, ...more })
    expect(await restored({ lines: '10-12' })).toBe(all.slice(9, 12).join('\n'))
    expect(await restored({ lines: '299:' })).toBe(all.slice(298).join('\n'))
    expect(await restored({ lines: '7' })).toBe(all[6])
    expect(await restored({ handle: `${handle}:10-12` })).toBe(all.slice(9, 12).join('\n'))
    expect(await restored({ handle: `[context_restore ${handle}:299-300]` })).toBe(
      all.slice(298).join('\n'),
    )
    expect(await restored({ grep: 'row 1[0-1] of' })).toBe(`10: ${all[9]}\n11: ${all[10]}`)
    expect(await restored({ grep: 'row 20 of', lines: '15-25' })).toBe(`20: ${all[19]}`)
    expect(await restored({ grep: 'row (' })).toBe('No line matches row (.')
    expect(await restored({ lines: 'all' })).toContain('a range such as 40-80')
    expect(await restored({ lines: '900-950' })).toBe('There are only 300 lines.')
  })

  it('looks elsewhere for what this history does not have, and says when nobody has it', async () => {
    const session = toldAgent(messagesOf([calls]), only({}))
    const elsewhere = (handle: string): string | null => (handle === 'abcdef' ? 'from there' : null)
    expect(await contextRestore(session, { handle: 'abcdef' }, elsewhere)).toBe('from there')
    expect(await contextRestore(session, { handle: 'abcde0' }, elsewhere)).toContain('No item')
    expect(await contextRestore(session, { handle: 7 })).toContain('six or more hex digits')
    expect(await contextRestore(session, null)).toContain('six or more hex digits')
  })

  it.each([
    ['(a+)+$', `${'a'.repeat(64)}!`],
    ['(x+x+)+y', 'x'.repeat(20_000)],
    ['(.*)*=', 'z'.repeat(100_000)],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(20_000)],
  ])('answers %s in linear time', async (grep, line) => {
    const session = toldAgent(
      messagesOf([[{ id: 'a', tool: 'bash', input: { command: 'run' }, output: line }], later]),
      only({}),
    )
    const started = process.cpuUsage()
    expect(await contextRestore(session, { handle: session.handleOf('a'), grep })).toBe(
      `No line matches ${grep}.`,
    )
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(3_000)
  })

  it('says what a pattern may not have, and keeps matches short', async () => {
    const long = `start ${'b'.repeat(50_000)}`
    const session = toldAgent(
      messagesOf([[{ id: 'a', tool: 'bash', input: { command: 'run' }, output: long }], later]),
      only({}),
    )
    const handle = session.handleOf('a')
    const restored = (grep: string): Promise<string> => contextRestore(session, { handle, grep })
    expect(await restored('(?=b)b')).toContain('no look-around and no back-references')
    expect(await restored('(b)\\1')).toContain('search for a plain text')
    expect(await restored('b'.repeat(1_001))).toContain('longer than 1000 characters')
    expect(await restored('[a-z]{999}(b{30}){30}')).toContain('repeats too much')
    const found = await restored('^start b+$')
    expect(found).toMatch(/^1: start b/)
    expect(found.length).toBeLessThan(1_100)
  })
})
