import { describe, expect, it } from 'vitest'
import { lines, only, type ToldCall, tell } from '../../../../test/engine/told-session.ts'
import { searchKey } from './search.ts'
import { normalisedUrl } from './url.ts'

function call(id: string, tool: string, input: ToldCall['input']): ToldCall {
  return { id, tool, input, output: lines(1, 9, id) }
}

/** Which of the calls, made one a turn, are hidden. */
function hidden(calls: readonly ToldCall[], settings = all): readonly string[] {
  const turns = calls.map((each) => [each])
  return Object.keys(tell(turns, settings).results)
}

const all = only({ pruneSourceUrls: true, searchSupersede: true, stateQuerySupersede: true })

describe('one spelling of an address', () => {
  it('ignores case of the host, default port, fragment and trailing slash', () => {
    const spelled = [
      'HTTPS://Docs.Test:443/Guide/#install',
      'https://docs.test/Guide',
      ' https://docs.test/Guide/ ',
    ]
    expect(new Set(spelled.map(normalisedUrl))).toEqual(new Set(['https://docs.test/Guide']))
  })

  it('keeps the path, the port, the login and the order of the query', () => {
    const distinct = [
      'https://docs.test/guide',
      'https://docs.test/Guide',
      'https://docs.test:8080/guide',
      'https://me:secret@docs.test/guide',
      'https://docs.test/guide?a=1&b=2',
      'https://docs.test/guide?b=2&a=1',
      'http://docs.test/guide',
      'docs.test/guide',
    ]
    expect(new Set(distinct.map(normalisedUrl)).size).toBe(distinct.length)
  })
})

describe('fetches', () => {
  const page = { url: 'https://docs.test/a' }

  it('replace each other across tools', () => {
    expect(hidden([call('a', 'webfetch', page), call('b', 'mcp__fetch__fetch', page)])).toEqual([
      'a',
    ])
  })

  it('do not replace each other when another part or another answer was asked for', () => {
    const from = (id: string, start_index: number): ToldCall =>
      call(id, 'mcp__fetch__fetch', { ...page, start_index })
    expect(hidden([from('a', 0), from('b', 5000)])).toEqual([])
    const ask = (id: string, prompt: string): ToldCall => call(id, 'WebFetch', { ...page, prompt })
    expect(hidden([ask('a', 'List the flags'), ask('b', 'What is the licence?')])).toEqual([])
  })

  it('replace each other whatever their format and patience', () => {
    const turns = [
      call('a', 'webfetch', { ...page, format: 'markdown' }),
      call('b', 'webfetch', { ...page, format: 'text', timeout: 10 }),
    ]
    expect(hidden(turns)).toEqual(['a'])
  })

  it('of a search are known by the query', () => {
    const search = (id: string, query: string): ToldCall => call(id, 'websearch', { query })
    expect(
      hidden([search('a', 'how  to x'), search('b', 'how to x '), search('c', 'why')]),
    ).toEqual(['a'])
  })
})

describe('searches in files', () => {
  it('are known by the documented keys', () => {
    expect([
      searchKey({ kind: 'glob', path: 'src', pattern: '*.ts' }),
      searchKey({ kind: 'search', path: 'src', pattern: 'x:y', include: '*.ts' }),
      searchKey({ kind: 'search', path: null, pattern: 'x', include: null }),
      searchKey({ kind: 'other' }),
    ]).toEqual(['glob:src:*.ts', 'grep:src:x:y:*.ts', 'grep::x:', null])
  })

  it('of names and of contents are different searches', () => {
    const input = { pattern: 'src', path: '.' }
    expect(hidden([call('a', 'glob', input), call('b', 'grep', input)])).toEqual([])
  })

  it('that show something else do not replace each other', () => {
    const grep = (id: string, output_mode: string): ToldCall =>
      call(id, 'Grep', { pattern: 'x', output_mode })
    expect(hidden([grep('a', 'content'), grep('b', 'files_with_matches')])).toEqual([])
    expect(hidden([grep('a', 'content'), grep('b', 'content')])).toEqual(['a'])
  })
})

describe('a result that was cut', () => {
  const cut = `${lines(1, 9)}\n(Results are truncated. Consider a narrower search.)`
  const grep = (id: string, output: string): ToldCall => ({
    ...call(id, 'grep', { pattern: 'x' }),
    output,
  })

  it('does not replace one that is whole, which holds what it lacks', () => {
    expect(hidden([grep('a', lines(1, 20)), grep('b', cut)])).toEqual([])
    expect(hidden([grep('a', cut), grep('b', cut)])).toEqual(['a'])
    expect(hidden([grep('a', cut), grep('b', lines(1, 20))])).toEqual(['a'])
  })
})

describe('commands that read state', () => {
  const bash = (id: string, command: string, workdir?: string): ToldCall =>
    call(id, 'bash', { command, ...(workdir === undefined ? {} : { workdir }) })

  it('replace only the same command in the same directory', () => {
    expect(hidden([bash('a', 'ls src'), bash('b', 'ls test')])).toEqual([])
    expect(hidden([bash('a', 'git log one'), bash('b', 'git log two')])).toEqual([])
    expect(hidden([bash('a', 'ls', '/one'), bash('b', 'ls', '/two')])).toEqual([])
    expect(hidden([bash('a', 'ls', '/one'), bash('b', 'ls', '/one')])).toEqual(['a'])
  })

  it('replace each other across shells', () => {
    const other = call('b', 'shell', { command: ['bash', '-lc', 'git status'] })
    expect(hidden([bash('a', 'git status'), other])).toEqual(['a'])
  })

  it('are none when they change something', () => {
    for (const command of ['git branch -D old', 'find . -delete', 'ls && rm a', 'npm test']) {
      expect(hidden([bash('a', command), bash('b', command)])).toEqual([])
    }
  })
})
