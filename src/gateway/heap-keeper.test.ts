import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext, runInThisContext } from 'node:vm'
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
    // Buffers that were let go before are given back at any time.
    garbage(150 * mebibyte)
    const before = used()
    keeper.inPause()
    expect(before - used()).toBeGreaterThan(100 * mebibyte)
    garbage(4 * mebibyte)
    const little = used()
    keeper.inPause()
    expect(little - used()).toBeLessThan(mebibyte)
  })
})

/** V8's own words are allowed for as long as it takes: code that was not used for a while is compiled again. */
function inV8sWords<Result>(names: string, body: string): (...values: unknown[]) => Result {
  return (...values) => {
    setFlagsFromString('--allow-natives-syntax')
    try {
      return runInThisContext(`(function (${names}) { ${body} })`)(...values)
    } finally {
      setFlagsFromString('--no-allow-natives-syntax')
    }
  }
}

describe('code that was optimised for objects that are only there for a moment', () => {
  it('is not thrown away together with them', () => {
    class Passing {
      readonly start: number
      readonly end: number
      constructor(start: number) {
        this.start = start
        this.end = start + 1
      }
    }
    const lengthOf = ({ start, end }: Passing): number => end - start
    const optimise = inV8sWords<void>(
      'work, made',
      '%PrepareFunctionForOptimization(work); work(made); %OptimizeFunctionOnNextCall(work); work(made)',
    )
    const status = inV8sWords<number>('work', 'return %GetOptimizationStatus(work)')
    const keeper = createHeapKeeper()
    optimise(lengthOf, new Passing(1))
    const optimised = status(lengthOf)
    expect(optimised).not.toBe(status(() => {}))
    for (let time = 0; time < 3; time++) {
      garbage(150 * mebibyte)
      keeper.inPause()
      lengthOf(new Passing(time))
    }
    expect(status(lengthOf)).toBe(optimised)
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

describe('an answer that is over', () => {
  it('has what is young collected once many bytes of bodies were made', () => {
    const keeper = createHeapKeeper()
    garbage(4 * mebibyte)
    const before = used()
    keeper.afterAnswer(mebibyte)
    expect(before - used()).toBeLessThan(mebibyte)
    keeper.afterAnswer(16 * mebibyte)
    expect(before - used()).toBeGreaterThan(3 * mebibyte)
  })
})
