import { setFlagsFromString } from 'node:v8'

/** How often code has to run, in bytes of it, before V8 optimises it: twice of what it takes by itself. */
const optimisedAfterBytes = 2 * 66 * 1024

/**
 * For a process that does nothing but serve. Sessions come one after the other, each with some code that the ones before did
 * not need, so that V8 would optimise for hours, on as many threads as there are processors, and mostly while a request is
 * on its way. What runs less often stays with the code that is made at once, and that all of it gets.
 */
export function paceCompiler(): void {
  // Later ones count calls instead, and say so of a flag that they do not know to whoever started the program.
  if ('Bun' in globalThis || !process.versions.v8.startsWith('11.')) return
  setFlagsFromString('--always-sparkplug')
  setFlagsFromString(`--interrupt-budget=${optimisedAfterBytes}`)
}
