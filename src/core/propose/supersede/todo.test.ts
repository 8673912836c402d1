import { describe, expect, it } from 'vitest'
import { lines, only, type ToldCall, tell } from '../../../../test/engine/told-session.ts'

const settings = only({ todoSupersede: true, pruneToolInputs: true })

function call(id: string, tool: string, input: ToldCall['input'] = {}): ToldCall {
  return { id, tool, input, output: lines(1, 5, id) }
}

const write = (id: string): ToldCall =>
  call(id, 'todowrite', {
    todos: [{ content: `Finish ${id}`, status: 'pending', priority: 'low' }],
  })
const readAll = (id: string): ToldCall => call(id, 'todoread')

describe('the task list', () => {
  it('keeps the newest write and the newest read', () => {
    const turns = [[write('a')], [readAll('b')], [write('c')], [write('d')], [readAll('e')]]
    expect(tell(turns, settings).results).toEqual({
      a: 'superseded todo c',
      b: 'superseded todo e',
      c: 'superseded todo d',
    })
  })

  it('loses the input of what was written before', () => {
    expect(tell([[write('a')], [write('b')]], settings).inputs).toEqual({ a: 'stripped input b' })
  })

  it('never hides the newest list, whatever else is asked', () => {
    const turns = [[write('a')], [readAll('b')], [readAll('c')]]
    expect(tell(turns, settings).results).toEqual({ b: 'superseded todo c' })
  })

  it('keeps a list when the next write fails', () => {
    expect(tell([[write('a')], [{ ...write('b'), status: 'error' }]], settings).results).toEqual({})
  })

  it('adds up calls that change one task, until the whole list is written', () => {
    const create = (id: string): ToldCall => call(id, 'TaskCreate', { subject: 'Finish' })
    const update = (id: string): ToldCall =>
      call(id, 'TaskUpdate', { taskId: '1', status: 'completed' })
    const steps = [[create('a')], [create('b')], [update('c')], [update('d')]]
    expect(tell(steps, settings).results).toEqual({})
    expect(tell([...steps, [write('e')]], settings).results).toEqual({
      a: 'superseded todo e',
      b: 'superseded todo e',
      c: 'superseded todo e',
      d: 'superseded todo e',
    })
  })

  it('is not replaced by a look at one task', () => {
    const one = (id: string): ToldCall => call(id, 'TaskGet', { taskId: '1' })
    const list = (id: string): ToldCall => call(id, 'TaskList')
    expect(tell([[list('a')], [one('b')]], settings).results).toEqual({})
    expect(tell([[one('a')], [list('b')]], settings).results).toEqual({ a: 'superseded todo b' })
  })

  it('is left to this strategy by the comparison of inputs, identical calls aside', () => {
    const both = {
      ...settings,
      deduplication: { enabled: true, mode: 'supersede', protectedTools: [] },
    } as const
    expect(tell([[readAll('a')], [readAll('b')]], both).results).toEqual({ a: 'superseded hash b' })
    const pointing = { ...both, deduplication: { ...both.deduplication, mode: 'pointer' } } as const
    expect(tell([[readAll('a')], [readAll('b')]], pointing).results).toEqual({
      a: 'superseded todo b',
    })
    const update = (id: string): ToldCall => call(id, 'TaskUpdate', { taskId: '1', status: 'done' })
    expect(tell([[update('a')], [update('b')]], both).results).toEqual({})
  })
})
