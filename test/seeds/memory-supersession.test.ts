import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect } from 'vitest'
import { ContextExtractor, ConversationManager, LocalMemoryStore } from '../../src/memory/index.ts'
import { row } from './statement.ts'

const root = path.resolve(import.meta.dirname, '../..')

describe('memory supersession', () => {
  row('004-22', () => {
    const conversation = new ConversationManager(LocalMemoryStore.inMemory())
    conversation.addMessage({ role: 'user', text: 'I always use VS Code' })
    conversation.addMessage({ role: 'user', text: "I've switched to Neovim" })
    const { preferences } = conversation.getCurrentContext()
    expect(preferences.map(({ key, value }) => [key, value])).toEqual([['editor', 'Neovim']])
  })

  row('004-41', () => {
    const tsx = path.join(root, 'node_modules/tsx/dist/cli.mjs')
    const out = execFileSync(process.execPath, [tsx, 'demo_supersession.ts'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(out).toContain('the first fact is still superseded by the second: true')
  })

  row('004-43', () => {
    const conversation = new ConversationManager(LocalMemoryStore.inMemory())
    conversation.addMessage({ role: 'user', text: 'I always use npm' })
    const { corrections, changes } = conversation.addMessage({
      role: 'user',
      text: 'not npm, use pnpm',
    })
    expect(new ContextExtractor().extractCorrections('not npm, use pnpm')).toEqual(corrections)
    expect(corrections[0]).toMatchObject({ old: 'npm', new: 'pnpm' })
    expect(changes.map(({ value }) => value)).toContain('pnpm')
    expect(conversation.getCurrentContext().text).not.toMatch(/\bnpm\b/)
  })
})
