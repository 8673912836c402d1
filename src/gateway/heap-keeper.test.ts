import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, it } from 'vitest'
import { createHeapKeeper } from './heap-keeper.ts'

const mebibyte = 1024 * 1024

// What other tests have left behind is not to be taken for ours.
beforeEach(() => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
})

function used(): number {
  return getHeapStatistics().used_heap_size
}

/** All of it in use until it is whole, so that V8 has not taken any of it away. */
function garbage(bytes: number): void {
  const kept: number[][] = []
  for (let made = 0; made < bytes; made += 8 * 1024) kept.push(new Array<number>(1024).fill(0.5))
  expect(kept.length).toBeGreaterThan(0)
}

describe('a pause', () => {
  it('is used where much has become garbage, and not where little has', () => {
    const keeper = createHeapKeeper()
    garbage(60 * mebibyte)
    const before = used()
    keeper.inPause()
    expect(before - used()).toBeGreaterThan(50 * mebibyte)
    garbage(4 * mebibyte)
    const little = used()
    keeper.inPause()
    expect(little - used()).toBeLessThan(mebibyte)
  })
})

describe('a session that is to be loaded', () => {
  it('has room made for it once garbage is more than what a load makes', () => {
    const keeper = createHeapKeeper()
    garbage(20 * mebibyte)
    const before = used()
    keeper.beforeLoad()
    expect(before - used()).toBeLessThan(10 * mebibyte)
    garbage(150 * mebibyte)
    const grown = used()
    keeper.beforeLoad()
    expect(grown - used()).toBeGreaterThan(100 * mebibyte)
  })
})

describe('a request after which nothing was loaded', () => {
  it('has nothing collected, and one after a load what is young', () => {
    const keeper = createHeapKeeper()
    garbage(4 * mebibyte)
    const before = used()
    keeper.afterRequest()
    expect(before - used()).toBeLessThan(mebibyte)
    keeper.beforeLoad()
    keeper.afterRequest()
    expect(before - used()).toBeGreaterThan(3 * mebibyte)
  })
})
