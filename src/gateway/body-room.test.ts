import { expect, it } from 'vitest'
import { createBodyRoom } from './body-room.ts'

it('lets bodies in while there is room, and the others in their order as it is left', async () => {
  const room = createBodyRoom(10)
  const entered: string[] = []
  const enter = async (name: string, bytes: number): Promise<() => void> => {
    const leave = await room.take(bytes)
    entered.push(name)
    return leave
  }
  const first = await enter('first', 6)
  const second = enter('second', 6)
  const third = enter('third', 2)
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(entered).toEqual(['first'])
  first()
  first()
  const leaves = await Promise.all([second, third])
  expect(entered).toEqual(['first', 'second', 'third'])
  // One that is larger than all of the room has it to itself.
  for (const leave of leaves) leave()
  await enter('large', 100)
  expect(entered.at(-1)).toBe('large')
})
