// `npm run soak [-- part …]`: the long forms of the random suites; every part when none is named. `npm run soak -- --list` names
// them. A part is a folder of tests that reads PALIMPSEST_SOAK for its number of runs. Another seed is tried with
// `PROPERTY_SEED=$RANDOM npm run soak`; the seed of a failure is in its message.
import { spawnSync } from 'node:child_process'
import { inRoot } from './install.mjs'

/** Each part: what it runs, as arguments of vitest, and how long it takes on two cores. */
const parts = {
  fuzz: {
    run: ['test/fuzz', 'src/recordings/reader-robustness.test.ts'],
    about:
      '225,000 hostile conversations with 2,000,000 operations, answers, connections, recordings; two hours',
  },
  crash: {
    run: ['test/gateway/killed.test.ts', 'test/crash', 'test/store/durability.test.ts'],
    about:
      '250 kills of the gateway, 125 each of the plugin and the memory, 500 of each store; an hour',
  },
  cost: { run: ['test/cost'], about: '20,000 random sessions never cost more; 25 minutes' },
}

const args = process.argv.slice(2)
const asked = args.filter((argument) => !argument.startsWith('--'))
const share =
  args.find((argument) => argument.startsWith('--share='))?.slice('--share='.length) ?? '1'
if (args.includes('--list')) {
  for (const [name, { about }] of Object.entries(parts)) console.log(`${name}  ${about}`)
  process.exit(0)
}
const unknown = asked.filter((name) => parts[name] === undefined)
if (unknown.length > 0) {
  console.error(
    `'${unknown[0]}' is not a part of the soak. Use one of: ${Object.keys(parts).join(', ')}`,
  )
  process.exit(2)
}

let failed = 0
for (const name of asked.length > 0 ? asked : Object.keys(parts)) {
  console.log(`soak: ${name}, ${parts[name].about}`)
  const { status } = spawnSync(
    process.execPath,
    [inRoot('node_modules/vitest/vitest.mjs'), 'run', ...parts[name].run],
    { cwd: inRoot(), stdio: 'inherit', env: { ...process.env, PALIMPSEST_SOAK: share } },
  )
  if (status !== 0) failed++
}
process.exit(failed > 0 ? 1 : 0)
