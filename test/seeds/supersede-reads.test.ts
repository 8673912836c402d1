import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import { lines } from '../engine/told-session.ts'
import { type Act, acted, bash, edit, read, shapeOf, write } from './acted.ts'
import { hostedSession } from './hosted-session.ts'
import { recordedSession } from './recorded.ts'
import { row } from './statement.ts'

/** The proposal as it is in its preset, applied at once instead of when the prune tool is called. */
const dcp = { preset: 'dcp', schedule: 'eager' }
const other = '/src/other.ts'

describe('supersede-reads', () => {
  row('002-01', async () => expect(await shapeOf(dcp, [read(), write()])).toBe('HF'))
  row('002-02', async () => expect(await shapeOf(dcp, [read(), edit()])).toBe('HF'))
  row('002-03', async () => expect(await shapeOf(dcp, [write(), read(), edit()])).toBe('FHF'))
  row('002-04', async () => {
    expect(await shapeOf(dcp, [read(), write(other)])).toBe('FF')
    expect(await shapeOf(dcp, [read(), write(other), write()])).toBe('HFF')
  })

  row('002-05', async () => {
    for (const change of [write(), edit()]) {
      const failed: Act = { ...change, status: 'error' }
      expect(await shapeOf(dcp, [read(), failed])).toBe('FF')
      expect(await shapeOf(dcp, [read(), failed, change])).toBe('HFF')
    }
  })

  row('002-06', async () => {
    const part: Act = { tool: 'read', input: { filePath: '/src/app.ts', offset: 5 } }
    expect(await shapeOf(dcp, [read(), bash('make'), part, write()])).toBe('HFHF')
  })

  row('002-07', async () => {
    const again: Act = { tool: 'read', input: { filePath: '/src/app.ts', offset: 1 } }
    expect(await shapeOf(dcp, [read(), write(), again])).toBe('HFF')
  })

  row('002-08', async () => {
    const { shape, session } = await acted(dcp, [read(), write(), edit(), write()])
    expect(shape.slice(0, 2)).toBe('HF')
    expect(await session.command('stats')).toMatch(/📁 file +1 prunes/)
  })

  row('002-09', async () => {
    const strategies = { supersedeReads: { enabled: false } }
    expect(await shapeOf({ ...dcp, strategies }, [read(), write()])).toBe('FF')
    const on = { supersedeReads: { enabled: true } }
    expect(await shapeOf({ ...dcp, strategies: on }, [read(), write()])).toBe('HF')
  })

  row('002-10', async () => {
    const manual = (automaticStrategies: boolean): Promise<string> =>
      shapeOf({ ...dcp, manualMode: { enabled: true, automaticStrategies } }, [read(), write()])
    expect(await manual(false)).toBe('FF')
    expect(await manual(true)).toBe('HF')
  })

  row('002-11', async () => {
    const acts = [read('/src/a.env'), write('/src/a.env'), read(), write()]
    const protectedFilePatterns = ['**/*.env']
    expect(await shapeOf({ ...dcp, protectedFilePatterns }, acts)).toBe('FFHF')
    expect(await shapeOf(dcp, acts)).toBe('HFHF')
  })

  row('002-12', async () => {
    expect(await shapeOf(dcp, [read(), read(other), write(other)])).toBe('FHF')
    expect(await shapeOf(dcp, [read(), read(other), write(other), edit()])).toBe('HHFF')
  })

  row('002-13', async () => {
    const session = await hostedSession(dcp)
    expect(await session.shown()).toEqual(['Work on it.'])
    session.conversation.answered('Done.')
    expect(await session.shown()).toEqual(['Work on it.', 'Done.'])
    expect(session.logs.filter((line) => line.startsWith('error'))).toEqual([])
  })

  row('002-14', async () => {
    const fetched: Act = { tool: 'webfetch', input: { url: 'https://docs.test/src/app.ts' } }
    const searched: Act = { tool: 'grep', input: { pattern: 'app', path: '/src/app.ts' } }
    const acts = [fetched, searched, bash('npm test'), read(), write()]
    expect(await shapeOf(dcp, acts)).toBe('FFFHF')
  })

  row('002-15', async () => {
    const given = { ...dcp, turnProtection: { enabled: true, turns: 4 } }
    expect(await shapeOf(given, [read(), write()])).toBe('FF')
    const later = ['a', 'b', 'c', 'd'].map((command) => bash(command))
    expect(await shapeOf(given, [read(), write(), ...later])).toBe('HFFFFF')
  })

  row('002-17', async () => {
    const session = await hostedSession({ preset: 'dcp' })
    const file = { filePath: '/src/app.ts' }
    await session.call('read', file, lines(1, 40, 'read'))
    await session.call('bash', { command: 'make' }, lines(1, 40, 'made'))
    await session.call('write', { ...file, content: 'new' }, 'Wrote file successfully.')
    await session.idle(1)
    await session.shown()
    const prune = (handle: string): Promise<string> =>
      session.conversation.calls('context_prune', { action: 'discard', targets: [[handle]] })
    expect(await prune('ffffff')).toContain('0 of 1 pruned')
    const said = await session.shown()
    expect(said.join()).toContain('read 7 of')
    const info = await session.conversation.calls('context_info', {})
    await session.shown()
    expect(await prune(/([0-9a-f]{6})\s.*make/.exec(info)?.[1] ?? '')).toContain('1 of 1 pruned')
    expect((await session.shown()).join()).not.toContain('read 7 of')
  })
})

describe('the configuration of supersede-reads', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest dcp '))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const onCommandLine = recordedSession([read(), write()])

  row('002-16', async () => {
    expect((await onCommandLine('stats', '--preset', 'dcp')).out).toMatch(/📁 file +1 prunes/)
    expect((await onCommandLine('stats', '--preset', 'off')).out).not.toContain('📁 file')
  })

  row('002-18', async () => {
    const file = path.join(folder, 'palimpsest.jsonc')
    writeFileSync(file, '{\n  "strategies": {\n    "supersedeReads": { "enabeld": true }\n  }\n}\n')
    const { code, err } = await onCommandLine('stats', '--config', file)
    expect(code).not.toBe(0)
    expect(err).toMatch(/palimpsest\.jsonc, line 3.*enabeld.*enabled/s)
    const schema = readFileSync(new URL('../../schema.json', import.meta.url), 'utf8')
    const { properties } = JSON.parse(schema).properties.strategies
    expect(Object.keys(properties)).toContain('supersedeReads')
    expect(JSON.stringify(properties.supersedeReads)).toContain('enabled')
  })
})

describe('the objection of the maintainer', () => {
  const overwrite = { ...dcp, files: 'overwrite' }
  row('002-19', async () => {
    expect(await shapeOf(overwrite, [read(), edit()])).toBe('FF')
    expect(await shapeOf(overwrite, [read(), edit(), write()])).toBe('HFF')
  })
  row('002-20', async () => {
    expect(await shapeOf(overwrite, [read(), write()])).toBe('HF')
    expect(await shapeOf(overwrite, [read(), edit(), write()])).toBe('HFF')
  })

  row('002-21', async () => {
    const text = Array.from(
      { length: 40 },
      (_, at) => `const a${at} = compute('a', ${at}) // long enough`,
    )
    const change = {
      filePath: '/src/app.ts',
      oldString: text[20],
      newString: 'const changed = true',
    }
    for (const schedule of ['economic', 'eager']) {
      const session = await hostedSession({ schedule })
      const numbered = text.map((line, at) => `${at + 1}: ${line}`).join('\n')
      await session.call('read', { filePath: '/src/app.ts' }, numbered)
      await session.call('edit', change, 'Edit applied successfully.')
      await session.idle(4)
      const said = (await session.shown()).join('\n')
      for (const line of text.toSpliced(20, 1, 'const changed = true')) expect(said).toContain(line)
      // Once sent bytes change, the one view of the file is of the file as it is now.
      expect(said.includes('21: const changed = true')).toBe(schedule === 'eager')
    }
  })

  row('002-22', async () => {
    const content = lines(1, 30, 'written')
    const written: Act = {
      tool: 'write',
      input: { filePath: '/src/app.ts', content },
      output: 'ok',
    }
    const inputAfter = async (strategies: object): Promise<boolean> => {
      const { said } = await acted({ ...dcp, strategies }, [
        written,
        read('/src/app.ts', { output: content }),
      ])
      return said[0]?.includes('written 7 of') === true
    }
    expect(await inputAfter({})).toBe(true)
    expect(await inputAfter({ supersedeWrites: { enabled: true } })).toBe(false)
  })
})
