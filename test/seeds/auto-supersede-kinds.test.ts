import { describe, expect } from 'vitest'
import {
  type Act,
  acted,
  bash,
  edit,
  outputOf,
  perform,
  read,
  shapeOf,
  todoread,
  todowrite,
  write,
} from './acted.ts'
import { hostedSession } from './hosted-session.ts'
import { row } from './statement.ts'

const acp = { preset: 'acp' }
const lookup = (name: string): Act => ({ tool: 'lookup', input: { name, kind: 'any' } })
const glob = (pattern: string, more: object = {}): Act => ({
  tool: 'glob',
  input: { path: '/src', pattern, ...more },
})
const grep = (pattern: string, more: object = {}): Act => ({
  tool: 'grep',
  input: { path: '/src', pattern, include: '*.ts', ...more },
})

describe('auto-supersede, hash', () => {
  row('000-02', async () => {
    expect(await shapeOf(acp, [lookup('a'), lookup('a')])).toBe('HF')
    const otherOrder = { tool: 'lookup', input: { kind: 'any', name: 'a' } }
    expect(await shapeOf(acp, [lookup('a'), otherOrder])).toBe('HF')
    expect(await shapeOf(acp, [lookup('a'), lookup('b')])).toBe('FF')
    expect(await shapeOf(acp, [lookup('a'), { ...lookup('a'), tool: 'find' }])).toBe('FF')
  })

  row('000-03', async () => {
    const { log, session } = await acted(acp, [lookup('a'), lookup('a')])
    expect(log).toContain('[auto-supersede] 🔄 hash')
    expect(await session.command('stats')).toContain('🔄 hash')
  })

  row('000-10', async () => {
    const pairs = [read(), { tool: 'webfetch', input: { url: 'https://a.test/' } }, bash('ls')]
    for (const each of pairs) {
      const { log, shape } = await acted(acp, [each, each])
      expect(shape).toBe('HF')
      expect(log).toMatch(/auto-supersede\] 🔄 hash/)
      expect(log).not.toMatch(/📁|🔗|📊/)
    }
  })

  row('000-18', async () => {
    const between = ['b', 'c', 'd'].map(lookup)
    expect(await shapeOf(acp, [read(), ...between, read()])).toBe('HFFFF')
  })

  row('000-19', async () => {
    const { session, said } = await acted(acp, [lookup('a'), lookup('a')])
    const handle = /context_restore ([0-9a-f]{6})/.exec(said[0] ?? '')?.[1] ?? ''
    expect(await session.conversation.calls('context_restore', { handle })).toContain(outputOf(0))
    expect(JSON.stringify(session.conversation.stored)).toContain(
      JSON.stringify(outputOf(0)).slice(1, -1),
    )
  })

  row('000-20', async () => {
    const session = await hostedSession(acp)
    await perform(session, [lookup('a'), lookup('a')])
    const handle = async (): Promise<string | undefined> =>
      /\[handle ([0-9a-f]{6})\]/.exec(
        (await session.shown()).find((text) => text.includes('out1 7 of')) ?? '',
      )?.[1]
    const before = await handle()
    expect(before).toMatch(/^[0-9a-f]{6}$/)
    await session.idle(3)
    expect(await handle()).toBe(before)
    expect((await session.shown()).join('\n')).not.toContain('out0 7 of')
  })
})

describe('auto-supersede, file', () => {
  row('000-04', async () => {
    const { shape, said } = await acted(acp, [read(), write()])
    expect(shape).toBe('HF')
    expect(said[0]).toMatch(
      /\[read \/src\/app\.ts .*replaced by a later write · context_restore [0-9a-f]{6}\]/,
    )
  })

  row('000-05', async () => {
    const { shape, said } = await acted(acp, [read(), edit()])
    expect(shape).toBe('HF')
    expect(said[0]).toMatch(
      /\[read \/src\/app\.ts .*replaced by a later edit · context_restore [0-9a-f]{6}\]/,
    )
  })

  row('000-07', async () => {
    const { log, session } = await acted(acp, [read(), write()])
    expect(log).toContain('[auto-supersede] 📁 file')
    expect(await session.command('stats')).toContain('📁 file')
  })

  row('000-21', async () => {
    for (const change of [write(), edit()])
      expect(await shapeOf(acp, [read(), lookup('a'), read(), lookup('b'), change])).toBe('HFHFF')
  })

  row('000-22', async () => {
    expect(await shapeOf(acp, [read('/src/a.ts'), write('/src/b.ts')])).toBe('FF')
    expect(await shapeOf(acp, [read('/src/a.ts'), read('/src/a.ts.bak'), edit('/src/a.ts')])).toBe(
      'HFF',
    )
  })

  row('000-23', async () => {
    // The host's project is /project, so that both are one file.
    for (const newer of [
      read('/project/a.ts', {}),
      write('/project/a.ts'),
      edit('/project/a.ts'),
    ]) {
      const { shape, log } = await acted(acp, [read('a.ts'), newer])
      expect(shape).toBe('HF')
      expect(log).toContain('📁 file')
      expect(log).toContain('a.ts: read call_')
    }
  })

  row('000-24', async () => {
    const { log, shape } = await acted(acp, [glob('**/*.ts'), glob('**/*.ts', { path: '/src/' })])
    expect(shape).toBe('HF')
    expect(log).toContain('glob:/src:**/*.ts')
    expect(await shapeOf(acp, [glob('**/*.ts'), glob('**/*.js')])).toBe('FF')
    expect(await shapeOf(acp, [glob('**/*.ts'), glob('**/*.ts', { path: '/lib' })])).toBe('FF')
  })

  row('000-25', async () => {
    const { log, shape } = await acted(acp, [grep('foo'), grep('foo', { path: '/src/' })])
    expect(shape).toBe('HF')
    expect(log).toContain('grep:/src:foo:*.ts')
    expect(await shapeOf(acp, [grep('foo'), grep('bar')])).toBe('FF')
    expect(await shapeOf(acp, [grep('foo'), grep('foo', { include: '*.js' })])).toBe('FF')
  })
})

describe('auto-supersede, todo', () => {
  row('000-08', async () => {
    expect(await shapeOf(acp, [todowrite('One'), todowrite('Two')])).toBe('HF')
    expect(await shapeOf(acp, [todoread, todoread])).toBe('HF')
  })

  row('000-09', async () => {
    const { log, session } = await acted(acp, [todowrite('One'), todowrite('Two')])
    expect(log).toContain('[auto-supersede] ✅ todo')
    expect(await session.command('stats')).toContain('✅ todo')
  })

  row('000-27', async () => {
    expect(
      await shapeOf(
        acp,
        ['One', 'Two', 'Three'].map((each) => todowrite(each)),
      ),
    ).toBe('HHF')
  })

  row('000-28', async () => {
    expect(await shapeOf(acp, [todoread, lookup('a'), todoread, todoread])).toBe('HFHF')
  })

  row('000-29', async () => {
    const acts = [
      ...[todowrite('One'), todoread, lookup('a'), lookup('b')],
      ...[todowrite('Two'), lookup('c'), lookup('d'), todowrite('Three'), todoread],
    ]
    expect(await shapeOf(acp, acts)).toBe('HHFFHFFFF')
  })
})

describe('what runs after auto-supersede', () => {
  row('000-14', async () => {
    const failed: Act = { ...bash('make'), status: 'error' }
    const { session, said } = await acted(acp, [failed])
    expect(said[0]).toContain('out0 10 of')
    await session.idle(3)
    expect((await session.shown()).join('\n')).not.toContain('out0 10 of')
    expect(session.logs.join('\n')).toContain('[prune] purgeErrors')
  })

  row('000-17', async () => {
    const session = await hostedSession(acp)
    await perform(session, [bash('make')])
    await session.idle(1)
    expect(await session.prune('discard', 'out0 7 of')).toContain('1 of 1 pruned')
    expect((await session.shown()).join('\n')).not.toContain('out0 7 of')
  })
})
