/**
 * The processor time that some work takes, in milliseconds: what else runs on the machine does not count, and what the
 * work causes on other threads, such as collecting garbage, does.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
