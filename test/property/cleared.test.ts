import { expect, it } from 'vitest'
import { resolveSettings } from '../../src/config/resolve.ts'
import { clearedByAgent } from '../../src/core/render/marks.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import { engineFor } from './settings.ts'

function readOf(text: string): readonly MessageDraft[] {
  const input = JSON.stringify({ absolute_path: '/project/a.ts' })
  return [
    { role: 'user', items: [{ kind: 'text', text: 'Read it.' }] },
    { role: 'assistant', items: [{ kind: 'call', tool: 'read_file', call: 'c', text: input }] },
    { role: 'tool', items: [{ kind: 'result', tool: 'read_file', call: 'c', status: 'ok', text }] },
  ]
}

it.each([clearedByAgent, '[read a.ts · replaced by edit at turn 3 · context_restore a1b2c3]'])(
  'a read that only says "%s" tells nothing about the file',
  (text) => {
    const engine = engineFor(resolveSettings({ preset: 'balanced' }))
    engine.request(readOf('const a = 1\n'))
    expect(engine.files.current('/project/a.ts').text).toBe('const a = 1\n')
    engine.request(readOf(text))
    expect(engine.files.current('/project/a.ts').text).toBeNull()
  },
)
