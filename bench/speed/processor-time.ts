/**
 * The processor time of some work in milliseconds. It includes other threads of the process, such as garbage collection,
 * but not other programs.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
