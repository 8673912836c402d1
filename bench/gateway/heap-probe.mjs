// Preloaded into a measured process that runs with --expose-gc: on SIGUSR2 it prints the bytes that are in use after a full
// collection, the delay of its event loop since the last time (median and p99, in microseconds), and its open descriptors.
import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolution = 5
const delay = monitorEventLoopDelay({ resolution })
delay.enable()

process.on('SIGUSR2', () => {
  const delays = [50, 99].map((share) =>
    Math.max(0, delay.percentile(share) / 1e3 - resolution * 1e3),
  )
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  process.stdout.write(
    `probe ${[heapUsed + external, ...delays, descriptors()].map(Math.round).join(' ')}\n`,
  )
  delay.reset()
})

function descriptors() {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}
