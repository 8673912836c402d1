import { describe, expect, it } from 'vitest'
import { only, type ToldTurn, tell } from '../../../../test/engine/told-session.ts'

const settings = only({ admission: { enabled: true }, schedule: 'on-demand' })
const frame = 'Chunk ID: 1a2b3c\nWall time: 5.0012 seconds\n'
const counted = 'Original token count: 0\nOutput:\n'

const poll = (id: string, output: string): ToldTurn => [
  { id, tool: 'write_stdin', input: { session_id: 7, chars: '' }, output },
]

function shown(output: string): string {
  const { engine } = tell([poll('a', output)], settings)
  const item = engine.record.items.find(({ kind }) => kind === 'result')
  return (item && engine.ledger.of(item.index)?.rendition.text) ?? item?.text ?? ''
}

describe('a poll of a running command', () => {
  it('that brought nothing says whether the command still runs', () => {
    const running = `${frame}Process running with session ID 7\n${counted}`
    expect(shown(running)).toMatch(
      /^Process running with session ID 7\n\[… no output · context_restore [0-9a-f]{6}\]$/,
    )
    expect(shown(`${frame}Process exited with code 2\n${counted}`)).toContain('exited with code 2')
  })

  it('that brought something stays as it is', () => {
    const told = `${frame}Process running with session ID 7\n${counted}compiled 12 of 30 files`
    expect(shown(told)).toBe(told)
  })
})
