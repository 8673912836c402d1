import { actionOf, createPaths, parsePatch, readResult } from '../../src/actions/index.ts'
import { parseShell } from '../../src/actions/shell/index.ts'
import { createUnderstanding } from '../../src/actions/understand.ts'
import { foldedLinesIn, handleIn } from '../../src/agent/find-item.ts'
import { parseConfig } from '../../src/config/parse.ts'
import { presets } from '../../src/config/presets.ts'
import { createProtection } from '../../src/config/protection.ts'
import { createEngine } from '../../src/core/engine.ts'
import { normalisedUrl } from '../../src/core/propose/supersede/url.ts'
import { estimateTokens } from '../../src/core/record/tokens.ts'
import { proseOutsideCodeBlocks, shortenCodeBlocks } from '../../src/core/render/code-blocks.ts'
import { digest } from '../../src/core/render/digest/digest.ts'
import { type DigestSource, firstSightLimits } from '../../src/core/render/digest/digest-types.ts'
import { firstAndLastLines, headAndTail } from '../../src/core/render/head-tail.ts'
import { referencesIn } from '../../src/core/track/task-names.ts'
import type { Action } from '../../src/core/words/action.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import { bodyFormats, detectBodyFormat } from '../../src/formats/index.ts'
import { claimsOf } from '../../src/memory/extract/claims-of-message.ts'
import { bareLine, findWords } from '../../src/memory/forget/forgotten-words.ts'
import { createInMemoryLog, Memory } from '../../src/memory/index.ts'
import { TextIndex } from '../../src/memory/search/text-index.ts'
import { readStatements } from '../../src/memory/statements/statement.ts'
import { importMarkdown } from '../../src/memory/transfer/markdown.ts'
import { findCorrections } from '../../src/memory/understand/corrections.ts'
import { readDates } from '../../src/memory/understand/dates.ts'
import { JsonValues } from '../../src/recordings/json-values.ts'
import { TextLines } from '../../src/recordings/text-lines.ts'
import { isShortRun } from '../e2e/installed-client.ts'
import { messagesOf } from '../engine/told-session.ts'
import {
  jsonTokens,
  patchTokens,
  pathTokens,
  plainTokens,
  resultTokens,
  sentenceTokens,
  shellTokens,
  urlTokens,
} from './shapes.ts'

/** Something that reads texts which strangers write, and the tokens of the language that it reads. */
export interface Reader {
  readonly name: string
  readonly tokens: readonly string[]
  readonly read: (text: string) => unknown
}

const shell = (command: string): Action =>
  actionOf({ tool: 'Bash', text: JSON.stringify({ command }) })

const scriptHeader = 'Script completed\nWall time 0.1 seconds\nOutput:\n\n'
const programTokens = ['await tools.x({});text(r);', 'tools', 'text(', '${', 'a\nb\n', '"a"+']

const actions: Readonly<Record<string, Action>> = {
  read: { kind: 'read', path: '/a/b.ts', lines: null },
  edit: { kind: 'edit', path: '/a/b.ts', edits: [] },
  search: { kind: 'search', pattern: 'a', path: null, include: null },
  fetch: { kind: 'fetch', url: 'https://a.b/', query: null },
  other: { kind: 'other' },
  cat: shell('cat a.ts'),
  diff: shell('git diff'),
  log: shell('git log'),
  test: shell('npm test'),
  grep: shell('grep -rn a .'),
  list: shell('ls -la'),
  install: shell('npm install'),
  check: shell('npx tsc && npx biome check .'),
}

const source = (text: string, action: Action | null): DigestSource => ({
  text,
  action,
  request: 'why does it fail?',
  tool: 'x',
  status: 'ok',
})

export const shellReaders: readonly Reader[] = [
  { name: 'a command', tokens: shellTokens, read: parseShell },
  ...['sed -n ', 'sed -i ', 'awk ', 'python3 -c ', 'git '].map((program) => ({
    name: `the argument of ${program}`,
    tokens: [' ', '\n', 'a', ';', ' \n', 's/a/b/;', ' print ', 'open(', 'for ', 'for a in '],
    read: (text: string) => parseShell(`${program}'${text.replaceAll("'", '')}' a.txt`),
  })),
  {
    name: 'a script in a heredoc',
    tokens: ['open(', "open('a','w')", 'a = ', 'for a in ', '"""', '`', 'Path(', 'a.', ' ', '\n'],
    read: (text) => parseShell(`python3 - <<'EOF'\n${text}\nEOF\n`),
  },
]

const calls: readonly (readonly [string, string])[] = [
  ['Read', 'file_path'],
  ['Edit', 'old_string'],
  ['apply_patch', 'input'],
  ['WebFetch', 'url'],
  ['Grep', 'pattern'],
  ['Glob', 'pattern'],
  ['TodoWrite', 'todos'],
  ['mcp__files__read_thing', 'path'],
]

export const callReaders: readonly Reader[] = [
  { name: 'a patch', tokens: patchTokens, read: parsePatch },
  { name: 'a URL', tokens: [...urlTokens, ...plainTokens], read: normalisedUrl },
  {
    name: 'the path of a URL',
    tokens: [...urlTokens, ...plainTokens],
    read: (text) => normalisedUrl(`https://a/${text}`),
  },
  {
    name: 'a path',
    tokens: [...pathTokens, ...plainTokens],
    read: (text) => createPaths({ cwd: '/a' }).canonical(text, '/b'),
  },
  {
    name: 'a path that may be protected',
    tokens: [...pathTokens, ...plainTokens],
    read: createProtection(presets.balanced).file,
  },
  ...calls.map(([tool, field]) => ({
    name: `${tool} with ${field}`,
    tokens: [...patchTokens, ...pathTokens, ...jsonTokens],
    read: (text: string) => actionOf({ tool, text: JSON.stringify({ [field]: text }) }),
  })),
  {
    name: 'a program',
    tokens: ['[', '{a:', '`${', '(', '/*', '/', '\\', '"', 'const a = {};', ...programTokens],
    read: (text) => actionOf({ tool: 'exec', text: `await ${text}` }),
  },
  {
    name: 'an input that is not JSON',
    tokens: [...jsonTokens, ...patchTokens],
    read: (text) => actionOf({ tool: 'str_replace_editor', text }),
  },
]

/** The checks of a shell are read like its tests, so that a short run leaves them out. */
const digested: readonly string[] = isShortRun ? ['fetch', 'test'] : ['fetch', 'test', 'check']

export const resultReaders: readonly Reader[] = [
  ...Object.entries(actions).map(([name, action]) => ({
    name: `the result of ${name}`,
    tokens: [...resultTokens, ...plainTokens],
    read: (text: string) => readResult(action, { tool: name === 'read' ? 'Read' : 'x' }, text),
  })),
  {
    name: 'the result of a program',
    tokens: [
      'Script completed\nWall time 1 seconds\nOutput:\n',
      '{"output":"a"}\n',
      ...resultTokens,
    ],
    read: (text) =>
      readResult(actions.cat ?? { kind: 'other' }, { tool: 'exec' }, `${scriptHeader}${text}`),
  },
  ...digested.map((name) => ({
    name: `the digest of ${name}`,
    tokens: resultTokens,
    read: (text: string) =>
      digest(
        source(text, actions[name] ?? null),
        firstSightLimits(text.length, { leastChars: 1000, recall: 'restore a1b2c3' }),
      ),
  })),
]

export const renderReaders: readonly Reader[] = [
  {
    name: 'head and tail',
    tokens: resultTokens,
    read: (text) => headAndTail(text, { limit: 10_000, keep: 4_000, failureLines: true }),
  },
  {
    name: 'first and last lines',
    tokens: resultTokens,
    read: (text) =>
      firstAndLastLines(text, {
        keep: 5,
        recall: { handle: 'a1b2c3', restore: 'context_restore' },
      }),
  },
  {
    name: 'code blocks',
    tokens: ['```', '```\n', '```js\n', '~~~\n', '````\n', '> ```\n', 'a\n'],
    read: (text) => [
      shortenCodeBlocks(text, {
        limit: 10,
        keep: 2,
        recall: { handle: 'a1b2c3', restore: 'context_restore' },
      }),
      proseOutsideCodeBlocks(text),
    ],
  },
  { name: 'tokens', tokens: resultTokens, read: estimateTokens },
  { name: 'names in a task', tokens: [...pathTokens, ...plainTokens], read: referencesIn },
  {
    name: 'a handle',
    tokens: ['a1b2c3', 'a1b2c3:1-', 'f'],
    read: (text) => [handleIn(text), foldedLinesIn(text)],
  },
]

/** These leave out longer messages, so all that they read must stay quick. */
export const memoryReaders: readonly Reader[] = [
  { name: 'claims of a user', read: (text: string) => claimsOf(text, 'user', Date.UTC(2026, 1)) },
  { name: 'claims of an assistant', read: (text: string) => claimsOf(text, 'assistant', 1e12) },
  { name: 'corrections', read: findCorrections },
  {
    name: 'statements',
    read: (text: string) =>
      readStatements([{ id: 'a', session: 's', text, saidAt: 1e12, role: 'user' }]),
  },
  {
    name: 'a search index',
    read: (text: string) => {
      const index = new TextIndex()
      index.add('a', text)
      return index.scores(text.slice(0, 1000))
    },
  },
].map((reader) => ({ ...reader, tokens: [...sentenceTokens, ...plainTokens] }))

export const otherMemoryReaders: readonly Reader[] = [
  { name: 'dates', read: (text: string) => readDates(text, 1e12) },
  { name: 'words to forget', read: findWords(['a secret word', 'hunter2', 'a  b']) },
  { name: 'a line without its marks', read: bareLine },
  {
    name: 'a memory file',
    read: (text: string) =>
      importMarkdown(
        new Memory({ log: createInMemoryLog(), now: () => 1e12, newId: () => 'a' }),
        text,
        { session: 's', project: 'p' },
      ),
  },
].map((reader) => ({ ...reader, tokens: [...sentenceTokens, ...plainTokens] }))

const quietly =
  (read: (text: string) => unknown) =>
  (text: string): void => {
    try {
      read(text)
    } catch {
      // A text that is refused has been read.
    }
  }

export const bodyReaders: readonly Reader[] = [
  ...Object.entries(bodyFormats).flatMap(([name, format]) => [
    { name: `${name} body`, tokens: jsonTokens, read: (text: string) => format.read(text) },
    {
      name: `${name} body that is cut off`,
      tokens: jsonTokens,
      read: (text: string) => format.read(`{"messages":[${text}`),
    },
  ]),
  { name: 'a body of any format', tokens: jsonTokens, read: (text) => detectBodyFormat(text) },
  {
    name: 'a recording',
    tokens: jsonTokens,
    read: quietly((text) => {
      let damaged = 0
      const damage = (): void => {
        // As the reader of recordings does.
        if (++damaged > 1_000) throw new Error('no recording')
      }
      const values = new JsonValues({ value() {}, damage })
      const lines = new TextLines((line) => values.line(line))
      lines.push(text)
      lines.end()
      values.end()
    }),
  },
  {
    name: 'a configuration',
    tokens: jsonTokens,
    read: quietly((text) => parseConfig({ text, where: 'a', fileName: 'palimpsest.jsonc' })),
  },
]

const past: readonly (readonly [string, string])[] = [
  ['Bash', 'command'],
  ['Read', 'file_path'],
  ['WebFetch', 'url'],
]

const sessionTokens: readonly string[] = [
  ...['<<X ', '$(', '../', ' git ', "sed -i 's/a/b/' a; ", 'echo a > b; ', '/', ' ', '\n', ' \n'],
  ...['a', '<system-reminder>', '     1\ta\n', '1|a\n', '@@ -1 +1 @@\n', '{"a":', '[', '"'],
]

/** A whole session of two turns: the text as a call, as its result, and as what the user says. */
export function engineReaders(name: string, settings: Settings): readonly Reader[] {
  return past.map(([tool, field]) => ({
    name: `${name}: ${tool}`,
    tokens: sessionTokens,
    read: (text: string) => {
      const engine = createEngine({
        settings,
        understanding: createUnderstanding({ cwd: '/a' }),
        protection: createProtection(settings),
      })
      const turns = [text, 'a'].map((given, at) => [
        { id: `c${at}`, tool, input: { [field]: given }, output: text },
      ])
      const said = messagesOf(turns)
      engine.request([...said.slice(0, 1), { role: 'user', items: [{ kind: 'text', text }] }])
      engine.request(said.slice(0, 3))
      engine.request(said)
    },
  }))
}
