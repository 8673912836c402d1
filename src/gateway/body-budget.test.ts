import { expect, it } from 'vitest'
import { createBodyBudget } from './body-budget.ts'

it('lets bodies in while they fit, and the others in their order as space is released', async () => {
  const budget = createBodyBudget(10)
  const entered: string[] = []
  const enter = async (name: string, bytes: number): Promise<() => void> => {
    const leave = await budget.reserve(bytes)
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
  // A body that is larger than the whole budget gets in alone.
  for (const leave of leaves) leave()
  await enter('large', 100)
  expect(entered.at(-1)).toBe('large')
})
