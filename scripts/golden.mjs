// `npm run golden`: compares digests of outgoing requests with the stored ones. With `--against REV` it compares the
// processor time of the same generated sessions with another commit, measured in turns.
import { spawnSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { cache, inRoot, root, run } from './install.mjs'

const args = process.argv.slice(2)
const at = args.indexOf('--against')
const golden = (folder, options) =>
  spawnSync(process.execPath, ['scripts/bench.mjs', 'golden', ...options], {
    cwd: folder,
    encoding: 'utf8',
  })

if (at < 0) {
  const { status } = spawnSync(process.execPath, ['scripts/bench.mjs', 'golden', ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}

const revision = args[at + 1]
if (revision === undefined) {
  console.error('--against needs a commit, for example --against HEAD~1')
  process.exit(2)
}
const other = `${cache}/golden-against`
run('git', ['worktree', 'add', '--detach', '--force', other, revision], { stdio: 'ignore' })
try {
  if (!existsSync(`${other}/bench/golden.ts`)) {
    console.error(`${revision} has no golden digests to compare the time with`)
    process.exitCode = 2
  } else {
    symlinkSync(inRoot('node_modules'), `${other}/node_modules`)
    const options = ['--part', 'generated', '--count', '20']
    const seconds = (folder) => {
      const { stdout } = golden(folder, options)
      return Number(/([\d.]+) s of processor time/.exec(stdout)?.[1] ?? Number.NaN)
    }
    const rounds = [1, 2, 3].map(() => seconds(root) / seconds(other))
    const [, middle] = rounds.sort((one, two) => one - two)
    console.log(`processor time against ${revision}: ${middle.toFixed(2)} (middle of 3)`)
  }
} finally {
  run('git', ['worktree', 'remove', '--force', other], { stdio: 'ignore' })
}
