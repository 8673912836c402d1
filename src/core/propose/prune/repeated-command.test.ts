import { describe, expect, it } from 'vitest'
import { only, type Told, type ToldTurn, tell } from '../../../../test/engine/told-session.ts'

const settings = only({ admission: { enabled: true }, schedule: 'on-demand' })

const output = (failed: string, ms: number): string =>
  [
    ...Array.from({ length: 24 }, (_, n) => `note ${n}: the ${n}th cart was packed in ${ms + n}ms`),
    `Error: cart ${failed} is empty`,
    'expected 3 parcels, received none of them',
    'exit status 1',
  ].join('\n')

const run = (id: string, text: string, command = './pack.sh --all'): ToldTurn => [
  { id, tool: 'bash', input: { command }, output: text },
]

function shown({ engine }: Told, id: string): string {
  const item = engine.record.items.find((each) => each.kind === 'result' && each.call === id)
  return (item && engine.ledger.of(item.index)?.rendition.text) ?? item?.text ?? ''
}

describe('the same command again', () => {
  it('shows what it says anew, its failures and its end, and names the result that shows the rest', () => {
    const told = tell([run('a', output('seven', 10)), run('b', output('nine', 30))], settings)
    const first = told.engine.record.items.find((each) => each.kind === 'result')
    const again = shown(told, 'b')
    expect(told.results).toEqual({ b: 'pointer output a' })
    expect(again).toContain(`lines left out: as in ${first?.handle}`)
    expect(again).toContain('Error: cart nine is empty')
    expect(again).toContain('exit status 1')
    expect(again).not.toContain('the 7th cart')
    expect(again.length).toBeLessThan(output('nine', 30).length / 2)
  })

  it('says the same failure again in a few lines', () => {
    const same = output('seven', 10)
    const told = tell([run('a', same), run('b', same.replaceAll('ms', ' ms'))], settings)
    expect(shown(told, 'b')).toContain('Error: cart seven is empty')
    expect(shown(told, 'b').length).toBeLessThan(300)
  })

  it('stays as it is when the command is another one, or says something else', () => {
    const other = run('b', output('nine', 30), './pack.sh --some')
    expect(tell([run('a', output('seven', 10)), other], settings).results).toEqual({})
    const news = Array.from({ length: 24 }, (_, n) => `quite another line, number ${n}`).join('\n')
    expect(tell([run('a', output('seven', 10)), run('b', news)], settings).results).toEqual({})
  })

  it('points to the first result however often it is run, and shows whole what was brought back', () => {
    const runs = ['a', 'b', 'c'].map((id, at) => run(id, output(id, 10 + at)))
    expect(tell(runs, settings).results).toEqual({ b: 'pointer output a', c: 'pointer output a' })
    const restore = (id: string): ToldTurn =>
      run(id, output('one', 10), 'palimpsest restore a1b2c3')
    expect(tell([restore('a'), restore('b')], settings).results).toEqual({})
  })

  it('keeps what it points to in the page', () => {
    const forgetful = only({
      admission: { enabled: true },
      retention: { enabled: true, risk: 1, coefficients: null },
      schedule: 'on-demand',
    })
    const long = `${output('seven', 10)}\n${output('eight', 10)}`
    const idle = Array.from({ length: 60 }, (_, n) => run(`i${n}`, 'ok', `step ${n}`))
    const prune: ToldTurn = [{ id: 'p', tool: 'context_prune', input: {}, output: 'done' }]
    const turns = [run('a', long), run('b', long.replaceAll('ms', ' ms')), ...idle, prune]
    expect(shown(tell(turns, forgetful), 'a')).toContain('the 7th cart')
    const alone = [run('a', long), ...idle, prune]
    expect(shown(tell(alone, forgetful), 'a')).not.toContain('the 7th cart')
  })
})
