import { describe, expect, it } from 'vitest'
import {
  engineFor,
  lines,
  messagesOf,
  only,
  outcomeOf,
  type ToldCall,
  tell,
} from '../../../../test/engine/told-session.ts'
import type { Engine } from '../../engine.ts'
import { contextToolOf } from '../../words/context-tools.ts'

const settings = only({ contextSupersede: true, pruneToolInputs: true })

function call(id: string, tool: string, input: ToldCall['input']): ToldCall {
  return { id, tool, input, output: lines(1, 5, id) }
}

const first = call('first', 'read', { filePath: 'a.ts' })

function handleOf(engine: Engine, id: string): string {
  const item = engine.record.items.find((each) => each.kind === 'result' && each.call === id)
  return item?.handle ?? ''
}

function prune(engine: Engine): ToldCall {
  const summary = `The file says ${lines(1, 4)}`
  const targets = [[handleOf(engine, 'first'), summary]]
  return call('prune', 'mcp__palimpsest__context_prune', { action: 'distill', targets })
}

const distilled = {
  rendition: { how: 'distilled', text: 'It says much.' },
  reason: 'agent',
  strategy: 'context_prune',
} as const

it('knows the context tools with and without a server in front', () => {
  const names = ['context_prune', 'mcp__x__context_info', 'palimpsest.context_restore']
  expect(names.map(contextToolOf)).toEqual(['context_prune', 'context_info', 'context_restore'])
  expect(['my_context_pruner', 'context', 'subcontext_info'].map(contextToolOf)).toEqual([
    null,
    null,
    null,
  ])
})

describe('a call that prunes', () => {
  it('goes when the ledger has its effect, once the agent has seen the answer', () => {
    const engine = engineFor(settings)
    engine.request(messagesOf([[first]]))
    const turns = [[first], [prune(engine)]]
    expect(engine.ask(handleOf(engine, 'first'), distilled)).toBe(true)
    engine.request(messagesOf(turns))
    expect(outcomeOf(engine).results).toEqual({ first: 'distilled agent -' })
    engine.request(messagesOf([...turns, []]))
    expect(outcomeOf(engine).results).toEqual({
      first: 'distilled agent -',
      prune: 'superseded context -',
    })
  })

  it('stays as long as its effect is not there, and whatever comes after it', () => {
    const engine = engineFor(settings)
    engine.request(messagesOf([[first]]))
    const again = { ...prune(engine), id: 'again' }
    const turns = [[first], [prune(engine)], [again], [], []]
    expect(tell(turns, settings, { engine }).results).toEqual({})
  })

  it('goes when its effect comes later', () => {
    const engine = engineFor(settings)
    engine.request(messagesOf([[first]]))
    const turns = [[first], [prune(engine)], []]
    tell(turns, settings, { engine })
    expect(engine.ask(handleOf(engine, 'first'), distilled)).toBe(true)
    engine.request(messagesOf([...turns, []]))
    expect(outcomeOf(engine).results.prune).toBe('superseded context -')
  })

  it('stays when it failed', () => {
    const engine = engineFor(settings)
    engine.request(messagesOf([[first]]))
    engine.ask(handleOf(engine, 'first'), distilled)
    const turns = [[first], [{ ...prune(engine), status: 'error' as const }], [], []]
    expect(tell(turns, settings, { engine }).results.prune).toBeUndefined()
  })
})

describe('a call that restores', () => {
  const restore = (engine: Engine): ToldCall =>
    call('restore', 'context_restore', { handle: handleOf(engine, 'first') })

  it('goes when the item is shown again, and stays when only it shows the text', () => {
    const engine = engineFor(settings)
    engine.request(messagesOf([[first]]))
    const turns = [[first], [restore(engine)], [], []]
    expect(tell(turns, settings, { engine }).results).toEqual({})
    engine.ask(handleOf(engine, 'first'), distilled)
    engine.undo(handleOf(engine, 'first'))
    engine.request(messagesOf([...turns, []]))
    expect(outcomeOf(engine).results).toEqual({ restore: 'superseded context -' })
  })
})

it('hides an inventory behind the next context call', () => {
  const info = (id: string): ToldCall => call(id, 'context_info', {})
  expect(tell([[info('a')], [info('b')]], settings).results).toEqual({
    a: 'superseded context b',
  })
})
