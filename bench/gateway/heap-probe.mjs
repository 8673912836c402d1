// Preloaded into the measured gateway, which runs with --expose-gc: on SIGUSR2 it prints the bytes that are in use after a
// full collection.
process.on('SIGUSR2', () => {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  process.stdout.write(`heap ${heapUsed + external}\n`)
})
