import { expect, it } from 'vitest'
import { createHandles } from './handles.ts'

it('lengthens a handle only when another item has it, and never renames', () => {
  const handles = createHandles()
  expect([
    handles.name('a1b2c3d4e5'),
    handles.name('a1b2c3d4ff'),
    handles.name('a1b2c3000000'),
    handles.name('a1b2c3d4e5'),
    handles.name('ffffff0000'),
  ]).toEqual(['a1b2c3', 'a1b2c3d', 'a1b2c30', 'a1b2c3', 'ffffff'])
})
