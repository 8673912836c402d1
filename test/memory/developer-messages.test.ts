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
    ['Decision: Use PostgreSQL', 'Use MongoDB instead', 'supersede database: MongoDB'],
    ['Use React for frontend', 'Vue would be better for this use case', 'supersede framework: Vue'],
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
    ['We use ESLint.', 'we swapped ESLint for Biome', 'supersede linter: Biome'],
    ['We use Black.', 'we replaced Black with Ruff', 'supersede formatter: Ruff'],
    ['We are on Node 22.', 'we switched from Node to Bun', 'supersede runtime: Bun'],
    ['I work at Acme.', 'I left Acme, I work at Globex now', 'supersede employer: Globex'],
    ['I live in Berlin.', 'I moved to Lisbon', 'supersede location: Lisbon'],
    ['We use Redux.', 'we ditched Redux for Zustand', 'supersede state_management: Zustand'],
    ['We decided to use Kafka.', 'We decided against Kafka', 'retract queue: Kafka'],
    ['Use 2 spaces.', 'make that 4 spaces', 'supersede indentation: 4 spaces'],
    ['We use npm.', 'npm? no, pnpm.', 'supersede package_manager: pnpm'],
    ['I use zsh.', 'I switched from zsh to fish a while ago', 'supersede shell: fish'],
    [
      'We use npm.',
      'please stop running npm, this repo is pnpm only',
      'supersede package_manager: pnpm',
    ],
    [
      'We use npm.',
      'we ditched npm, everything goes through bun now',
      'supersede package_manager: bun',
    ],
    ['We use pnpm.', "we're back on yarn", 'supersede package_manager: yarn'],
    [
      'We use Jest.',
      'jest is dead to us, tests are vitest from here on',
      'supersede test_framework: vitest',
    ],
    [
      'We use Postgres.',
      'Correction: production runs MySQL, not Postgres.',
      'supersede database: MySQL',
    ],
    [
      'We use Postgres.',
      'Our database is no longer Postgres, it is FoundationDB',
      'supersede database: FoundationDB',
    ],
    [
      'We use Postgres.',
      'we moved our database to FoundationDB',
      'supersede database: FoundationDB',
    ],
    ['We use GitHub Actions.', 'CI lives on GitLab, not GitHub Actions', 'supersede ci: GitLab'],
    ['We use React.', 'We are rewriting the frontend in Svelte', 'supersede framework: Svelte'],
    ['I use VS Code.', 'I use Lapce as my editor', 'supersede editor: Lapce'],
    ['I use VS Code.', 'actually, my editor is Lapce', 'supersede editor: Lapce'],
    ['We use tabs.', 'no tabs, 2 spaces', 'supersede indentation: 2 spaces'],
    ['We use spaces.', 'I like tabs better than spaces', 'supersede indentation: tabs'],
    ['We are on Python 3.11.', 'We upgraded to Python 3.12', 'supersede language: Python 3.12'],
    ['We use Vue 3.', 'we dropped Vue for Svelte', 'supersede framework: Svelte'],
    [
      'We deploy with Docker.',
      'We no longer deploy with Docker.',
      'retract container_tool: Docker',
    ],
  ])('%s %s', (before, after, change) => {
    expect(changesAfter(before, after)).toEqual([change])
  })
})

describe('a message by itself says', () => {
  it.each([
    ['All new code must be TypeScript, no more plain JS files.', 'add language: TypeScript'],
    ['I am a data engineer, so assume I know SQL', 'add role: data engineer'],
    ['I work on a Mac', 'add operating_system: Mac'],
    ["I'm in UTC+2", 'add timezone: UTC+2'],
    ['We write everything in Go', 'add language: Go'],
    ['the codebase is Elixir', 'add language: Elixir'],
    ['The package manager should be pnpm', 'add package_manager: pnpm'],
    ['Our default branch is called trunk', 'add default_branch: trunk'],
    ['We follow conventional commits', 'add commit_style: conventional commits'],
    ["we don't use semicolons", 'add semicolons: no semicolons'],
    ['We are on Node 22', 'add runtime: Node 22'],
    ['Vim is my favourite editor', 'add editor: Vim'],
    ['My go-to editor is Sublime Text', 'add editor: Sublime Text'],
    ['We are an Angular shop.', 'add framework: Angular'],
    ['Decision: we keep REST, no GraphQL.', 'add undefined: we keep REST, no GraphQL'],
    [
      'Remember that the staging host is otter.example.',
      'add undefined: the staging host is otter.example',
    ],
  ])('%s', (text, change) => {
    expect(changesAfter(text)).toEqual([change])
  })

  it('nothing new where it only says less than is known', () => {
    expect(changesAfter('We are on Python 3.12.', 'We use Python')).toEqual([])
  })
})

describe('what leaves the memory as it was', () => {
  it.each([
    'our database is Locked',
    'the old menu was replaced by a dialog',
    'The tests use Postgres in docker',
    'Use Postgres for the demo',
    'I switched the branch from main to develop',
    'We are evaluating Postgres',
    'We use either npm or pnpm, depends on the machine',
    'I am on branch develop',
    'all files are TypeScript except one',
    'Keep in mind that the target object will be modified.',
    "Generally you'll want one pool for the whole program",
    'In the future, it may tie into more things',
    'I told Bob we use Redis.',
    'we plan to switch from Jest to Vitest',
    'Alice: we use Yarn\nBob: no, npm',
    'user: We use Yarn\nassistant: ok',
    'Vim is the best editor ever made',
    'The default in Prettier is 2 spaces',
    'our database is DOWN',
    'tests are failing on CI',
    'all tests should pass before you continue',
    'everything uses the same helper',
    'the frontend is in the web folder',
    'the default branch is protected',
    'the package manager should be detected automatically',
    'The editor is Monaco, and it flickers on resize',
    "we're back on track",
    'we are back to square one',
    'we are rewriting the parser in chunks',
    'we moved our meeting to Friday',
    'We use it as our main entry point',
    'I work on the Linux kernel',
    'bump node from 18 to 20 in the Dockerfile',
    'Node 22 prints a warning about punycode',
    'no errors, just warnings',
    'no changes needed',
    'remember when we tried Kafka?',
    'remember that bug from yesterday',
    'I remember that the old service was in Perl',
    'Act as a senior backend engineer and review this',
    'generate a config where the indentation is 4 spaces',
    'ChatGPT suggested using lodash instead of ramda',
    'lol imagine if we used Perl',
    'a customer says they use Oracle',
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
