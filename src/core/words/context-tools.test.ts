import { expect, it } from 'vitest'
import type { Action } from './action.ts'
import { restoredHandles } from './context-tools.ts'

const shell = (command: string): readonly string[] =>
  restoredHandles({ tool: 'Bash', text: JSON.stringify({ command }) }, {
    kind: 'shell',
    command,
  } as Action)

it.each([
  ['palimpsest restore a1b2c3', ['a1b2c3']],
  ['npx palimpsest restore --store /x/y.db A1B2C3:4-9 | head', ['a1b2c3']],
  ["'/home/a b/restore' a1b2c3 && /home/me/restore-0f0f0f d4e5f6", ['a1b2c3', 'd4e5f6']],
  ['git restore abcdef', []],
  ['cat a1b2c3', []],
])('finds what a command restores: %s', (command, handles) => {
  expect(shell(command)).toEqual(handles)
})

it.each([
  ['mcp__palimpsest__context_restore', '{"handle":"a1b2c3","lines":"1-4"}', ['a1b2c3']],
  ['context_restore', '{ "handle" : "a1b2c3:1-4" }', ['a1b2c3']],
  ['context_info', '{"handle":"a1b2c3"}', []],
])('finds what a tool restores: %s %s', (tool, text, handles) => {
  expect(restoredHandles({ tool, text }, null)).toEqual(handles)
})

it('finds what a program of code mode restores', () => {
  const text = 'const r = await tools.mcp__p__context_restore({ handle: "a1b2c3" })'
  const action = { kind: 'shell', command: text } as Action
  expect(restoredHandles({ tool: 'exec', text }, action)).toEqual(['a1b2c3'])
})
