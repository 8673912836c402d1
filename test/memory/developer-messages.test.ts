import { describe, expect, it } from 'vitest'
import { createInMemoryLog, Memory, observe } from '../../src/memory/index.ts'

/** What the last of some messages changes, each as `op key: value`. */
function changesAfter(...texts: readonly string[]): readonly string[] {
  let count = 0
  const memory = new Memory({
    log: createInMemoryLog(),
    now: () => Date.UTC(2026, 10, 16) + ++count,
    newId: (kind) => `${kind}_${++count}`,
  })
  const seen = texts.map(
    (text, index) =>
      observe(memory, { id: String(index), role: 'user', text }, { project: 'p', session: 's' })
        .changes,
  )
  return seen.at(-1)!.map(({ op, key, value }) => `${op} ${key}: ${value}`)
}

describe('a later message takes the place of an earlier one', () => {
  it.each([
    ['We use MySQL.', 'no, wait, we use Postgres', 'supersede database: Postgres'],
    ['We use MySQL.', 'scratch that, Postgres', 'supersede database: Postgres'],
    ['We use Yarn.', "Let's switch back to npm", 'supersede package_manager: npm'],
    ['We host on Heroku.', 'we moved off Heroku to Fly.io', 'supersede hosting: Fly.io'],
    ['We use MySQL.', 'Postgres, not MySQL', 'supersede database: Postgres'],
    ['We test with Jest.', 'sorry, I meant Vitest', 'supersede test_framework: Vitest'],
    ['I use VS Code.', "I'd use Zed rather than VS Code from now on", 'supersede editor: Zed'],
    ['I use tabs.', 'from now on 4 spaces please', 'supersede indentation: 4 spaces'],
    ['We use Webpack.', "we no longer use Webpack, it's Vite now", 'supersede bundler: Vite'],
    ['We use Webpack.', "Webpack is gone, we're on Vite now", 'supersede bundler: Vite'],
    ['We write Java.', 'we migrated everything to Kotlin', 'supersede language: Kotlin'],
    ['Use npm.', "don't use npm, use bun", 'supersede package_manager: bun'],
    ['We use Prettier.', 'we replaced Prettier with Biome', 'supersede formatter: Biome'],
    ['I work at Acme.', 'I left Acme, I work at Globex now', 'supersede employer: Globex'],
    ['I live in Berlin.', 'I moved to Lisbon', 'supersede location: Lisbon'],
    ['We use Redux.', 'we ditched Redux for Zustand', 'supersede state_management: Zustand'],
    ['We decided to use Kafka.', 'We decided against Kafka', 'retract queue: Kafka'],
    ['Use 2 spaces.', 'make that 4 spaces', 'supersede indentation: 4 spaces'],
    ['We use npm.', 'npm? no, pnpm.', 'supersede package_manager: pnpm'],
    ['I use zsh.', 'I switched from zsh to fish a while ago', 'supersede shell: fish'],
  ])('%s %s', (before, after, change) => {
    expect(changesAfter(before, after)).toEqual([change])
  })
})

describe('what leaves the memory as it was', () => {
  it.each([
    'When I run the tests, we use sqlite and it breaks',
    'Looking at the code, we use express here and the handler is wrong',
    'In the docs, we use pnpm as an example',
    'no, postgres is down',
    'wait, redis is not running',
    'Sorry, npm run build fails',
    'make that function async',
    'make that change in redis.ts too',
    'ok no, keep express for this test',
    "we're on version 3.2 of the library",
    'we should never hit this branch',
    'you must never see this message',
    'from now on the build is green',
    'they deploy with Ansible',
    'we decided against adding Redis',
    'We tried MongoDB and it was slow',
    'Imagine we are on Kubernetes',
    'Commit message: "switch from jest to vitest"',
    'In vite.config.ts use esbuild instead of terser',
    'your last commit replaced Prettier with Biome, why?',
    'The README says we use Prettier but that is outdated',
    'For this script just use bash, everything else stays Python',
    'He told me to use tabs',
    'the client wants Stripe, we will see',
    "let's try Bun for this one experiment",
    '> we use npm\n> \n> -- old wiki',
    'what would it take to switch from MySQL to Postgres?',
  ])('%s', (text) => {
    expect(changesAfter(text)).toEqual([])
  })
})
