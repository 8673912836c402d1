import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  checkState,
  createInMemoryLog,
  keyOfText,
  Memory,
  type MemoryLog,
  memoryContext,
  observe,
  searchMemory,
} from '../../src/memory/index.ts'
import { itemsAsOf } from '../../src/memory/state/as-of.ts'
import { runMemoryCommand } from './run-memory-command.ts'

const place = { project: 'p', session: 's' }
let memory: Memory
let count: number

const openMemory = (log: MemoryLog): Memory =>
  new Memory({
    log,
    now: () => Date.UTC(2026, 10, 16) + ++count,
    newId: (kind) => `${kind}_${++count}`,
  })

beforeEach(() => {
  count = 0
  memory = openMemory(createInMemoryLog())
})

const say = (text: string, role: 'user' | 'assistant' = 'user') =>
  observe(memory, { id: `m${++count}`, role, text }, place).changes

const current = (): readonly string[] =>
  itemsAsOf(memory.state, memory.now()).map(({ item }) => item.value ?? item.text)

const decide = (text: string): string =>
  memory.add({ kind: 'decision', text, subject: 'project', scope: 'project:p', ...keyOfText(text) })
    .id

it.each([
  ['Decision: Use PostgreSQL', 'hm. scratch that db choice, go with sqlite'],
  ['Decision: Use Dagger for injection', 'Dagger? No, Hilt.'],
  ['We use SVN.', 'No more SVN! Everything is in Git.'],
  ['The upload limit is 100 MB.', 'We raised the upload limit. It is 250 MB now.'],
])('after "%s", the source of a change quotes "%s" as it was said', (first, then) => {
  say(first)
  say(then)
  const items = itemsAsOf(memory.state, memory.now())
  expect(items.filter(({ item }) => item.source.quote !== undefined)).not.toEqual([])
  for (const { item } of items) expect(`${first} ${then}`).toContain(item.source.quote ?? '')
})

afterEach(() => {
  expect(checkState(memory.state, memory.now())).toEqual([])
})

describe('the examples of the memory supersession system', () => {
  it('PostgreSQL, then MongoDB, then PostgreSQL with a caching layer', () => {
    expect(say('Decision: Use PostgreSQL')).toMatchObject([{ op: 'add', kind: 'decision' }])
    expect(say('Use MongoDB instead')).toMatchObject([{ op: 'supersede', value: 'MongoDB' }])
    expect(say('PostgreSQL with a caching layer after all')).toMatchObject([
      { op: 'supersede', value: 'PostgreSQL with a caching layer' },
    ])
    expect(current()).toEqual(['PostgreSQL with a caching layer'])
  })

  it('the same when the database is a fact of the project', () => {
    expect(say('We use PostgreSQL')).toMatchObject([{ op: 'add', kind: 'fact' }])
    say('Use MongoDB instead')
    expect(say('PostgreSQL with a caching layer after all')).toMatchObject([
      { op: 'supersede', value: 'PostgreSQL with a caching layer' },
    ])
    expect(current()).toEqual(['PostgreSQL with a caching layer'])
  })

  it.each(['user', 'assistant'] as const)('React, then Vue, said by the %s', (role) => {
    memory.add({
      kind: 'decision',
      text: 'Use React for frontend',
      subject: 'project',
      scope: 'project:p',
      source: { origin: role },
      ...keyOfText('Use React for frontend'),
    })
    expect(say('Vue would be better for this use case', role)).toMatchObject([{ op: 'supersede' }])
    expect(current().join()).toContain('Vue')
    expect(current().join()).not.toContain('React')
  })

  it('asks nothing and changes nothing when Vue is only a question', () => {
    decide('Use React for frontend')
    expect(say('Would Vue be better for this use case?')).toEqual([])
  })
})

describe('one key for every spelling of a property', () => {
  it.each(['package manager', 'package_manager', 'packageManager', 'Package-Manager'])(
    '%s',
    (key) => {
      memory.add({ kind: 'preference', category: 'tools', text: 'x', attribute: key, value: 'npm' })
      expect(say('we use pnpm now')).toMatchObject([{ op: 'supersede', value: 'pnpm' }])
      expect(current()).toEqual(['pnpm'])
    },
  )
})

describe('a plain statement that no item was taken from', () => {
  it('is replaced by a later message, and both are linked', () => {
    expect(say('The staging server runs on 10.0.4.12.')).toEqual([])
    expect(say("we moved staging last night, it's at 10.0.9.77 now")).toMatchObject([
      { op: 'supersede', value: '10.0.9.77' },
    ])
    expect(current()).toEqual(['10.0.9.77'])
    const told = memoryContext(memory, place)
    expect(told).toContain('10.0.9.77')
    expect(told).not.toContain('10.0.4.12')
  })

  it('becomes an item once', () => {
    say('The release date is 3 March.')
    say('the release date moved to 17 March')
    expect(say('release date is 24 March now')).toMatchObject([{ op: 'supersede' }])
    expect(current()).toEqual(['24 March'])
    expect(memory.state.items.size).toBe(3)
  })

  /** The items with the old value, and the items that are current. */
  const oldAndCurrent = (old: string): readonly number[] => [
    [...memory.state.items.values()].filter(({ item }) => item.text.includes(old)).length,
    current().length,
  ]

  it.each([
    [
      'Sentry collects our errors',
      'We moved from Sentry to Bugsnag. Bugsnag replaces Sentry for errors.',
      'Sentry',
      'Bugsnag',
    ],
    [
      'Our invoices have the prefix INV-',
      'We switched invoices from INV- to BILL-. The prefix INV- is gone, use BILL- now.',
      'INV-',
      'BILL-',
    ],
    [
      'Our invoices have the prefix INV-',
      'We switched invoices from INV- to BILL-. The prefix INV- is gone, use BIL- now.',
      'INV-',
      'BIL-',
    ],
    [
      'The staging server runs on 10.0.4.12',
      'The staging server moved to 10.0.5.1. The staging server is now on 10.0.5.1.',
      '10.0.4.12',
      '10.0.5.1',
    ],
    [
      'The staging server runs on 10.0.4.12.',
      'The staging server runs on 10.0.5.1. The staging server moved to 10.0.5.1.',
      '10.0.4.12',
      '10.0.5.1',
    ],
    [
      'The release date is 3 March.',
      'The release date moved. It is 17 March now. So the release date is 17 March.',
      '3 March',
      '17 March',
    ],
    [
      'The staging server runs on 10.0.4.12.',
      'Oh wait. The staging server is now on 10.0.5.1.',
      '10.0.4.12',
      '10.0.5.1',
    ],
  ])('%s: "%s" changes it once', (before, message, old, newer) => {
    say(before)
    say(message)
    expect(oldAndCurrent(old)).toEqual([1, 1])
    expect(current()).toEqual([newer])
  })

  it('does not get the value of the sentence after the one that changes it', () => {
    say('The staging server runs on 10.0.4.12.')
    say('The staging server moved to 10.0.5.1. The production server is on 10.0.7.7.')
    expect(current()).toEqual(['10.0.5.1'])
  })

  it('is asked about once when a message denies it twice', () => {
    say('The staging server runs on 10.0.4.12.')
    const message = 'The staging server runs on 10.0.5.1. Yes, the staging server runs on 10.0.5.1.'
    expect(say(message)).toMatchObject([{ op: 'flag' }])
    expect(oldAndCurrent('10.0.4.12')).toEqual([1, 2])
  })

  it.each([0, 1, 2, 3])('is never current when the log fails after %i writes', (most) => {
    const log = createInMemoryLog()
    let writes = 0
    const failing: MemoryLog = {
      ...log,
      append: (known, decide) => {
        if (writes++ === most) throw new Error('the disk is full')
        return log.append(known, decide)
      },
    }
    memory = openMemory(log)
    say('Sentry collects our errors')
    memory = openMemory(failing)
    try {
      say('We moved from Sentry to Bugsnag. Bugsnag replaces Sentry for errors.')
    } catch (error) {
      expect(error).toMatchObject({ message: 'the disk is full' })
    }
    memory = openMemory(log)
    expect(current()).toEqual(most < 2 ? [] : ['Bugsnag'])
  })

  it('stays what it is while nothing changes it', () => {
    say('The release date is 3 March.')
    expect(say('the release notes for 3 March are in docs/notes.md, please read them')).toEqual([])
    expect(memory.state.items.size).toBe(0)
  })

  it('of another project is left alone', () => {
    say('The staging server runs on 10.0.4.12.')
    const message = { id: 'other', role: 'user', text: 'staging is at 10.0.9.77 now' } as const
    const { changes } = observe(memory, message, { project: 'q', session: 't' })
    expect(changes).toEqual([])
  })

  it.each([
    ['The admin dashboard listens on port 8081.', 'the debugger changed to port 9229'],
    ['The search timeout is 5 seconds.', 'upload timeout is now 60 seconds'],
    ['The API rate limit is 100 requests per minute.', 'GitHub raised their rate limit to 250'],
    ['Metrics are at port 9100.', 'traces are at port 4317 now'],
    ['Our US shop ships with UPS.', 'our EU shop ships with DHL from now on'],
    ['Production runs on AWS.', 'dev machines run on Hetzner now'],
  ])('%s: %s is about something else', (before, message) => {
    say(before)
    expect(say(message).filter(({ op }) => op !== 'add')).toEqual([])
  })
})

describe('what a sentence is about', () => {
  it('a fault is a reason, and what follows from it is the change', () => {
    say('I prefer Chrome for testing.')
    expect(say('Chrome keeps crashing here, so I test in Firefox now')).toMatchObject([
      { op: 'supersede', value: 'Firefox' },
    ])
  })

  it('what is not supported any longer ends', () => {
    say('We decided to support IE11.')
    expect(say("we don't support ie11 any longer")).toMatchObject([{ op: 'retract' }])
    expect(current()).toEqual([])
  })

  it('a new role replaces the old one, although it names no part of a project', () => {
    say('I work as a backend developer.')
    say("btw got promoted, I'm tech lead these days")
    expect(current()).toEqual(['tech lead'])
    say('we hired a new frontend developer')
    expect(current()).toEqual(['tech lead'])
  })

  it('this function, or a competitor, is nothing that was stored', () => {
    memory.add({ kind: 'preference', text: 'Keep functions under 30 lines', scope: 'project:p' })
    memory.add({ kind: 'fact', text: 'The CEO is Linda Park', scope: 'project:p' })
    expect(say('this function has 50 lines now, split it')).toEqual([])
    expect(say('Tom Reyes is the new CEO of our competitor')).toEqual([])
  })

  it('a short form names the whole word', () => {
    decide('Use JWT for authentication')
    expect(say('scrap JWT, session cookies are what we do for auth')).toMatchObject([
      { op: 'supersede', value: 'session cookies' },
    ])
  })

  it('news of today about a finished change is no passing state', () => {
    decide('Use Redux')
    expect(say('redux → zustand, merged this week')).toMatchObject([
      { op: 'supersede', value: 'zustand' },
    ])
  })
})

describe('three outcomes', () => {
  const port = (): string =>
    memory.add({ kind: 'fact', text: 'The metrics port is 9100', scope: 'project:p' }).id

  it('replaces on a word of change', () => {
    const old = port()
    expect(say('the metrics port is 9200 now')).toMatchObject([
      { op: 'supersede', supersedes: old },
    ])
    expect(current()).toEqual(['9200'])
  })

  it('flags another value without one, asserts neither, and lets the user settle it', () => {
    const old = port()
    expect(say('The metrics port is 9200.')).toMatchObject([
      { op: 'add' },
      { op: 'flag', supersedes: old },
    ])
    const told = memoryContext(memory, place)
    expect(told).toContain(
      'may have changed: The metrics port is 9100; said later: The metrics port is 9200; ask',
    )
    expect(told).not.toMatch(/^- The metrics port/m)
    memory.review([...memory.state.flags.keys()][0]!, 'newer')
    expect(memoryContext(memory, place)).toMatch(/^- The metrics port is 9200$/m)
  })

  it('undo takes back a change that a message made', () => {
    port()
    const [change] = say('metrics port moved to 9200')
    memory.undo(change!.id)
    expect(current()).toEqual(['The metrics port is 9100'])
  })

  it('keeps what holds beside it: another part, another occasion, one more', () => {
    say('The backend is written in Go.')
    say('The frontend is written in TypeScript.')
    say('At work I use VS Code.')
    say('At home I use Vim.')
    say('We also use some Python.')
    expect(memory.state.items.size).toBe(current().length)
    expect(current()).toEqual(expect.arrayContaining(['Go', 'TypeScript', 'VS Code', 'Vim']))
  })
})

describe('what the user said before', () => {
  it('is replaced by a later sentence about the same thing, and found below it', () => {
    say("I've completed 45 practice problems so far, what is next?")
    expect(say("I've now completed 52 practice problems, how do I go on?")).toMatchObject([
      { op: 'supersede', value: '52' },
    ])
    const [first] = searchMemory(memory, 'How many practice problems have I completed?')
    expect(first?.text).toContain('52')
  })

  it('is flagged when a later sentence denies it', () => {
    say('I have never used Flask-Login in my projects.')
    expect(say('I integrated Flask-Login into my project last week.')).toMatchObject([
      { op: 'flag' },
    ])
  })

  it('is replaced when a fact that has one value gets another, also in a list', () => {
    say('The author of Red Storm Rising is Tom Clancy.')
    expect(say('The author of Red Storm Rising is Larry Bond.')).toMatchObject([
      { op: 'supersede', value: 'Larry Bond' },
    ])
    expect(current()).toContain('Larry Bond')
    expect(current()).not.toContain('Tom Clancy')
    const [first] = searchMemory(memory, 'Who is the author of Red Storm Rising?')
    expect(first?.text).toContain('Larry Bond')
    expect(
      say('0. Ivo Brandt is the mayor of Sundal.\n1. The mayor of Sundal is Clara Nyberg.'),
    ).toMatchObject([{ op: 'supersede', value: 'Clara Nyberg' }])
  })

  it('is flagged when the same words may have many ends', () => {
    say('Rust is used in Firefox.')
    expect(say('Rust is used in Android.')).toMatchObject([{ op: 'flag' }])
  })

  it('stays alone where nothing disagrees', () => {
    say('The tests in parser.ts take 3 seconds.')
    expect(say('The tests in lexer.ts take 9 seconds.')).toEqual([])
    expect(memory.state.items.size).toBe(0)
  })
})

describe('memory learn of a project', () => {
  it('takes rules from CLAUDE.md and facts from README.md, each with its line', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest learn '))
    const project = path.join(folder, 'shop')
    mkdirSync(path.join(project, 'node_modules', 'x'), { recursive: true })
    writeFileSync(
      path.join(project, 'CLAUDE.md'),
      '# Shop\n\nThis project uses pnpm.\n\n- **Never** commit to `main`\n- Use 2 spaces for indentation\n\n```\nUse yarn.\n```\n',
    )
    writeFileSync(path.join(project, 'README.md'), 'The backend is written in Go.\nRun it.\n')
    writeFileSync(path.join(project, 'node_modules', 'x', 'CLAUDE.md'), '- Use tabs\n')
    // Not an instruction file: a page of the documentation.
    mkdirSync(path.join(project, 'docs'))
    writeFileSync(path.join(project, 'docs', 'agents.md'), '- Never use the beta API\n')
    writeFileSync(path.join(project, 'package.json'), '{}')
    const run = (...args: readonly string[]) =>
      runMemoryCommand({ folder, now: Date.now }, [...args, '--project', project])
    const preview = await run('learn', project, '--json')
    expect(JSON.parse(preview.out)).toHaveLength(4)
    expect((await run('list')).out).toContain('nothing is remembered')
    const { out, err } = await run('learn', project, '--yes')
    expect(err).toBe('')
    expect(out.split('\n').slice(0, 4)).toEqual([
      'add preference package_manager: pnpm  (CLAUDE.md:3)',
      'add preference: Never commit to main  (CLAUDE.md:5)',
      'add preference indentation: 2 spaces  (CLAUDE.md:6)',
      'add fact language: Go  (README.md:1)',
    ])
    const listed = JSON.parse((await run('list', '--json')).out)
    expect(JSON.stringify(listed)).toContain('CLAUDE.md:5')
    rmSync(folder, { recursive: true })
  })
})

describe('memory forget --search', () => {
  it('says what it erased, kept messages included', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-erased-'))
    const run = (args: readonly string[], input = '') =>
      runMemoryCommand({ folder, now: Date.now }, args, input)
    const said = { id: '1', role: 'user', text: 'My badge number is 4711-0815.' }
    await run(['observe'], JSON.stringify(said))
    const { out } = await run(['forget', '--search', '4711-0815', '--yes'])
    expect(out).toContain('removed 1 kept message')
    expect((await run(['search', 'badge'])).out).not.toContain('4711')
    rmSync(folder, { recursive: true })
  })
})
