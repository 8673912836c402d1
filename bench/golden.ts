// `npm run golden`: digests of every outgoing request and every ledger, compared with those kept in test/golden.
import {
  type Digests,
  differingNames,
  generatedDigests,
  keepDigests,
  keptDigests,
  type Part,
  recordedDigests,
  wholeCount,
} from './golden/digests.ts'

const usage = `Compares SHA-256 digests of every outgoing request and every ledger with those in test/golden.

  npm run golden                       200 generated sessions, and the recorded ones where they are present
  npm run golden -- --part generated   one part only: generated or recorded
  npm run golden -- --count 20         only the first generated sessions
  npm run golden -- --update           keep the new digests
`

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(usage)
    return 0
  }
  const optionValue = (name: string): string | undefined => args[args.indexOf(name) + 1]
  const chosen = args.includes('--part') ? optionValue('--part') : undefined
  const count = args.includes('--count') ? Number(optionValue('--count')) : wholeCount
  if (!(chosen === undefined || chosen === 'generated' || chosen === 'recorded') || !(count > 0)) {
    process.stderr.write(usage)
    return 2
  }
  const parts: readonly Part[] = chosen === undefined ? ['generated', 'recorded'] : [chosen]
  let differing = 0
  for (const part of parts) {
    const started = process.cpuUsage()
    const found: Digests = part === 'generated' ? generatedDigests(count) : await recordedDigests()
    const { user, system } = process.cpuUsage(started)
    const seconds = ((user + system) / 1e6).toFixed(1)
    if (Object.keys(found).length === 0) {
      console.log(`${part}: no sessions here, nothing compared`)
      continue
    }
    const isWhole = part === 'recorded' || count >= wholeCount
    const names = differingNames(found, keptDigests(part), { isWhole })
    differing += names.length
    console.log(
      `${part}: ${names.length} of ${Object.keys(found).length} digests differ; ${seconds} s of processor time`,
    )
    for (const name of names.slice(0, 40)) console.log(`  ${name}`)
    if (args.includes('--update')) keepDigests(part, found)
  }
  return differing > 0 && !args.includes('--update') ? 1 : 0
}

process.exitCode = await main(process.argv.slice(2))
