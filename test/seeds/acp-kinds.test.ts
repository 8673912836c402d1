import { describe, expect } from 'vitest'
import { type Act, acted, bash, shapeOf } from './acted.ts'
import { row } from './statement.ts'

const acp = { preset: 'acp' }
const fetched = (url: string): Act => ({ tool: 'webfetch', input: { url, format: 'text' } })

/** The same question in other words, so that it is not the same call; and one that asks something else. */
async function isStateQuery(command: string, spelled: string, other: string): Promise<void> {
  const { shape, log } = await acted(acp, [bash(command), bash(spelled)])
  expect(shape).toBe('HF')
  expect(log).toContain(`[auto-supersede] 📊 query ${command}:`)
  expect(await shapeOf(acp, [bash(command), bash(other)])).toBe('FF')
  const off = { strategies: { aggressivePruning: { stateQuerySupersede: false } } }
  expect(await shapeOf({ ...acp, ...off }, [bash(command), bash(spelled)])).toBe('FF')
}

describe('auto-supersede of pages and of questions about state', () => {
  row('001-05', async () => {
    const { shape, log } = await acted(acp, [
      fetched('https://docs.test/a'),
      fetched('https://docs.test/a#part'),
      fetched('https://docs.test/b'),
    ])
    expect(shape).toBe('HFF')
    expect(log).toContain('[auto-supersede] 🔗 url https://docs.test/a')
  })

  row('001-06', async () => {
    const { shape, log, session } = await acted(acp, [bash('git status'), bash('git  status')])
    expect(shape).toBe('HF')
    expect(log).toContain('[auto-supersede] 📊 query')
    expect(await session.command('stats')).toContain('📊 query')
  })

  row('001-07', () => isStateQuery('ls src', 'ls  src', 'ls test'))
  row('001-08', () => isStateQuery('ls', ' ls', 'ls ..'))
  row('001-09', () => isStateQuery('find src', 'find  src', 'find src -delete'))
  row('001-10', () => isStateQuery('pwd', 'pwd ', 'pwd; make'))
  row('001-11', () => isStateQuery('git status', 'git  status', 'git stash'))
  row('001-12', () => isStateQuery('git branch', 'git  branch', 'git branch -D old'))
  row('001-13', () => isStateQuery('git log', 'git  log', 'git log --all'))
  row('001-14', () => isStateQuery('tree src', 'tree  src', 'tree test'))
  row('001-15', () => isStateQuery('tree', ' tree', 'tree src'))
})
