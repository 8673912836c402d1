import { describe, expect, it } from 'vitest'
import { lines, only, type ToldCall, tell } from '../../../../test/engine/told-session.ts'
import { pruneStrategies } from '../prune/index.ts'
import { supersedeStrategies } from './index.ts'

const settings = only({
  deduplication: { enabled: true, mode: 'supersede', protectedTools: [] },
  files: 'one-view',
  todoSupersede: true,
  pruneRetryParts: true,
  purgeErrors: { enabled: true, turns: 1, protectedTools: [] },
})
const call = (
  id: string,
  tool: string,
  input: ToldCall['input'],
  rest: Partial<ToldCall> = {},
): ToldCall => ({
  id,
  tool,
  input,
  output: lines(1, 9),
  ...rest,
})
const todos = { todos: [{ content: 'One', status: 'pending' }] }

describe('the documented order of execution', () => {
  it('is hash, file, todo, then the other kinds, then what makes things shorter', () => {
    const names = supersedeStrategies.flatMap((create) => create(settings)?.name ?? [])
    expect(names).toEqual(['deduplication', 'files', 'todoSupersede', 'pruneRetryParts'])
    expect(pruneStrategies.flatMap((create) => create(settings)?.name ?? [])).toEqual([
      'purgeErrors',
    ])
  })

  it('lets the first one that applies say why', () => {
    const read = (id: string): ToldCall => call(id, 'read', { filePath: 'a.ts' })
    expect(tell([[read('a')], [read('b')]], settings).results).toEqual({ a: 'superseded hash b' })
    const write = (id: string): ToldCall => call(id, 'todowrite', todos)
    expect(tell([[write('a')], [write('b')]], settings).results).toEqual({ a: 'superseded hash b' })
  })

  it('supersedes a failure that was retried before it is old enough to be purged', () => {
    const failed = call('a', 'build', { target: 'x' }, { status: 'error' })
    const again = call('b', 'build', { target: 'x' })
    expect(tell([[failed], [again], [], []], settings).results).toEqual({ a: 'superseded retry b' })
  })
})
