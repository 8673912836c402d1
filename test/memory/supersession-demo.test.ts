import { expect, it } from 'vitest'
import { showSupersession } from '../../demo_supersession.ts'

it('the demo of supersession shows its five points', async () => {
  const lines: string[] = []
  await showSupersession((line) => lines.push(line))
  expect(lines).toEqual([
    '1. Facts: the newer word holds, because both are about the editor',
    '   user prefers VS Code (superseded)',
    '   user prefers Vim',
    '2. Preferences: one value for each key, and its history',
    '   current: Neovim',
    '   history: VS Code → Neovim',
    '3. Decisions: a chain',
    '   Use PostgreSQL → Use MongoDB → Use PostgreSQL with caching layer',
    '4. Context: a model is told what holds, and nothing else',
    '   Preferences:',
    '   - editor: Neovim',
    '',
    '   Facts:',
    '   - user prefers Vim',
    '',
    '   Decisions:',
    '   - Use PostgreSQL with caching layer',
    '5. Persistence: another process finds the same',
    '   the first fact is still superseded by the second: true',
  ])
})
