import { describe, expect, it } from 'vitest'
import { namesTool } from '../words/name-pattern.ts'
import { createDueTurns } from './due-turns.ts'

describe('due turns', () => {
  it('give each value once, at its turn or at the first that is asked after it', () => {
    const due = createDueTurns<string>()
    due.add(3, 'c')
    due.add(2, 'b')
    due.add(9, 'z')
    expect(due.take(1)).toEqual([])
    expect(due.take(4)).toEqual(['b', 'c'])
    expect(due.take(4)).toEqual([])
    due.add(2, 'late')
    expect(due.take(5)).toEqual(['late'])
    expect(due.take(9)).toEqual(['z'])
  })
})

describe('namesTool', () => {
  it.each([
    [['deploy'], 'deploy', true],
    [['deploy'], 'deploy2', false],
    [['mcp__*'], 'mcp__files__read', true],
    [['*__read'], 'mcp__files__read', true],
    [['mcp__*__read'], 'mcp__files__read', true],
    [['mcp__*__read'], 'mcp__read', false],
    [['ab*ba'], 'aba', false],
    [['*'], 'anything', true],
    [[], 'anything', false],
    [['todowrite'], 'TodoWrite', true],
    [['Bash'], 'bash', true],
    [['MCP__*'], 'mcp__files__read', true],
    [['mcp__*__Read'], 'mcp__files__read', true],
  ] as const)('%j for %s is %s', (names, tool, expected) => {
    expect(namesTool(names, tool)).toBe(expected)
  })
})
