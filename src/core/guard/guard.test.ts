import { describe, expect, it } from 'vitest'
import { lines, messagesOf, type ToldCall } from '../../../test/engine/told-session.ts'
import { createUnderstanding } from '../../actions/understand.ts'
import type { ConfigFile } from '../../config/config.ts'
import { createProtection } from '../../config/protection.ts'
import { resolveSettings } from '../../config/resolve.ts'
import { createEngine, type Engine } from '../engine.ts'
import { estimateTokens } from '../record/tokens.ts'
import type { MessageDraft, ReasoningBinding } from '../words/item.ts'
import type { Settings } from '../words/settings.ts'
import { isSummary } from './summary.ts'

function engineWith(settings: Settings): Engine {
  return createEngine({
    restore: { tool: 'context_restore' },
    settings,
    understanding: () => createUnderstanding({ cwd: '/app' }),
    protection: createProtection(settings),
  })
}

const prose = 'a thought that goes on for quite a while before it ends '.repeat(6)

function thoughts(binding: ReasoningBinding): readonly MessageDraft[] {
  const answer = (text: string): MessageDraft => ({
    role: 'assistant',
    items: [
      { kind: 'reasoning', binding, text: `${text}: ${prose}` },
      { kind: 'text', text },
    ],
  })
  const question: MessageDraft = { role: 'user', items: [{ kind: 'text', text: 'go on' }] }
  return ['one', 'two', 'three', 'four', 'five'].flatMap((text) => [question, answer(text)])
}

/** Whether the agent may leave the first reasoning out, after all requests but the last have been sent. */
function mayDiscard(schedule: Settings['schedule'], binding: ReasoningBinding): boolean {
  const engine = engineWith(resolveSettings({ preset: 'balanced', schedule, turnProtection: 0 }))
  const messages = [...thoughts(binding), ...thoughts(binding).slice(0, 1)]
  for (let length = 1; length <= messages.length; length += 2) {
    engine.request(messages.slice(0, length))
  }
  const { handle = '' } = engine.record.items.find(({ kind }) => kind === 'reasoning') ?? {}
  return engine.ask(handle, {
    rendition: { how: 'discarded', text: null },
    reason: 'agent',
    strategy: 'context_prune',
  })
}

/** Whether reasoning that led to a call may go after its result and what follows it. */
function mayDiscardFrom(
  binding: ReasoningBinding,
  after: 'nothing' | 'prompt' | 'answer and prompt',
): boolean {
  const engine = engineWith(
    resolveSettings({ preset: 'balanced', schedule: 'eager', turnProtection: 0 }),
  )
  const ask = (text: string): MessageDraft => ({ role: 'user', items: [{ kind: 'text', text }] })
  const answered: MessageDraft = { role: 'assistant', items: [{ kind: 'text', text: 'Done.' }] }
  engine.request([
    ask('go'),
    {
      role: 'assistant',
      items: [
        { kind: 'reasoning', binding, text: prose },
        { kind: 'call', tool: 'bash', call: 'c1', text: '{"command":"ls"}' },
      ],
    },
    {
      role: 'tool',
      items: [{ kind: 'result', tool: 'bash', call: 'c1', status: 'ok', text: 'a.ts' }],
    },
    ...(after === 'answer and prompt' ? [answered] : []),
    ...(after === 'nothing' ? [] : [ask('go on')]),
  ])
  const { handle = '' } = engine.record.items.find(({ kind }) => kind === 'reasoning') ?? {}
  const rendition = { how: 'discarded', text: null } as const
  return engine.ask(handle, { rendition, reason: 'agent', strategy: 'context_prune' })
}

describe('reasoning that the agent wants to leave out', () => {
  it.each(['signed', 'opaque'] as const)(
    'stays while it is %s and nothing sent may change',
    (binding) => {
      expect(mayDiscard('economic', binding)).toBe(false)
    },
  )

  it.each(['signed', 'opaque'] as const)(
    'goes whole where what was sent may change: %s',
    (binding) => {
      expect(mayDiscard('eager', binding)).toBe(true)
    },
  )

  it.each(['signed', 'opaque'] as const)(
    'stays in the answer that goes on, also where what was sent may change: %s',
    (binding) => {
      expect(mayDiscardFrom(binding, 'answer and prompt')).toBe(true)
      expect(mayDiscardFrom(binding, 'nothing')).toBe(false)
      // Providers put a prompt that stands beside results into the same turn, so the tool loop goes on.
      expect(mayDiscardFrom(binding, 'prompt')).toBe(false)
    },
  )

  it('goes whenever it is plain', () => {
    expect([mayDiscard('economic', 'plain'), mayDiscard('eager', 'plain')]).toEqual([true, true])
  })
})

const block = ['```ts', ...Array.from({ length: 40 }, (_, n) => `const line${n} = ${n}`), '```']
const openings = [
  'This session is being continued from a previous conversation that ran out of context.',
  'Another language model started to solve this problem and produced a summary of its work.',
  'The conversation history before this point was compacted into the following summary:',
  '<state_snapshot>',
]

/** What is left of a first message once it is old. */
function shown(text: string): string {
  const engine = engineWith(
    resolveSettings({ preset: 'compact', schedule: 'eager', turnProtection: 0 }),
  )
  const first: MessageDraft = { role: 'user', items: [{ kind: 'text', text }] }
  const { changes } = engine.request([first, ...thoughts('plain'), first])
  return changes.find(({ message }) => message === 0)?.text ?? text
}

describe("an agent's own summary of a history that it compacted", () => {
  it.each(openings)('keeps its code blocks: %s', (opening) => {
    const text = [opening, '', ...block].join('\n')
    expect(isSummary(text)).toBe(true)
    expect(shown(text)).toBe(text)
  })

  it('is not what a user wrote about one', () => {
    const text = ['The summary in This session is being continued is wrong:', ...block].join('\n')
    expect(isSummary(text)).toBe(false)
    expect(shown(text).length).toBeLessThan(text.length)
  })
})

const discard = {
  rendition: { how: 'discarded', text: '[gone]' },
  reason: 'agent',
  strategy: 'context_prune',
} as const
const ended = (call: ToldCall, idle: number, config: ConfigFile = { preset: 'acp' }): Engine => {
  const engine = engineWith(resolveSettings(config))
  const nothing = Array.from({ length: idle }, () => [])
  for (let told = 1; told <= idle + 1; told++) {
    engine.request(messagesOf([[call], ...nothing].slice(0, told)))
  }
  return engine
}

/** Whether the agent may discard the result of a call, so many turns after it. */
function mayDiscardCall(call: ToldCall, idle = 3): boolean {
  const engine = ended(call, idle)
  const result = engine.record.items.find(({ kind }) => kind === 'result')
  return engine.ask(result?.handle ?? '', discard)
}

const told = (tool: string, input: ToldCall['input']): ToldCall => ({
  id: 'a',
  tool,
  input,
  output: lines(1, 12),
})
const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** End Patch'

describe('what is protected from the agent', () => {
  it.each([
    ['todowrite', { todos: [{ content: 'x', status: 'pending' }] }],
    ['update_plan', { plan: [{ step: 'x', status: 'pending' }] }],
    ['write_todos', { todos: [{ description: 'x', status: 'pending' }] }],
    ['TaskCreate', { subject: 'x' }],
    ['mcp__x__todowrite', { todos: [{ content: 'x', status: 'pending' }] }],
    ['Task', { description: 'x', prompt: 'look around' }],
    ['Agent', { description: 'x', prompt: 'look around' }],
    ['Write', { file_path: 'a.ts', content: 'b' }],
    ['write_file', { file_path: 'a.ts', content: 'b' }],
    ['MultiEdit', { file_path: 'a.ts', edits: [{ old_string: 'a', new_string: 'b' }] }],
    ['replace', { file_path: 'a.ts', old_string: 'b', new_string: 'c' }],
    ['str_replace_editor', { command: 'str_replace', path: 'a.ts', old_str: 'a', new_str: 'b' }],
    ['apply_patch', patch],
  ] as const)('is so whatever an agent calls the tool: %s', (tool, input) => {
    expect(mayDiscardCall(told(tool, input))).toBe(false)
  })

  it.each([
    ['str_replace_editor', { command: 'view', path: 'a.ts' }],
    ['bash', { command: 'ls' }],
    ['lookup', { todos: 'x' }],
  ] as const)('is not what only looks: %s', (tool, input) => {
    expect(mayDiscardCall(told(tool, input))).toBe(true)
  })

  it('is an error that the agent has only just seen, also without protected turns', () => {
    const failed = { ...told('bash', { command: 'npm test' }), status: 'error' } as const
    expect([mayDiscardCall(failed, 0), mayDiscardCall(failed, 1)]).toEqual([false, true])
  })
})

/** Whether the first of two equal calls is hidden behind the second. */
function isHidden(tool: string, input: ToldCall['input'], patterns: readonly string[]): boolean {
  const config = { preset: 'acp', protectedFilePatterns: [...patterns] } as const
  const engine = engineWith(resolveSettings(config))
  const again = ['a', 'b'].map((id) => [{ ...told(tool, input), id }])
  engine.request(messagesOf([...again, [], []]))
  return engine.ledger.decided().length > 0
}

describe('a protected file', () => {
  const calls = [
    ['read_many_files', { paths: ['.env', 'b.ts'] }],
    ['batch', { tool_calls: [{ tool: 'read', parameters: { filePath: '.env' } }] }],
    ['lookup', { files: ['.env'] }],
    ['lookup', { target: 'conf/.env' }],
    ['lsp', { textDocument: { uri: 'file:///app/.env' } }],
    ['grep', { pattern: 'KEY', include: '.env' }],
    ['bash', { command: 'git diff .env' }],
    ['bash', { command: 'git diff -- "conf/.env"' }],
    ['bash', { command: 'git show HEAD:.env' }],
    ['bash', { command: 'source .env && env' }],
    ['bash', { command: 'docker run --env-file=.env app' }],
    ['shell', { command: ['bash', '-lc', 'set -a; . ./.env'] }],
  ] as const

  it.each(calls)('is found wherever a call names it: %s %j', (tool, input) => {
    expect([isHidden(tool, input, ['**/.env']), isHidden(tool, input, [])]).toEqual([false, true])
  })

  it.each([
    ['lookup', { note: 'the file .env is left alone' }],
    ['lookup', { url: 'https://docs.test/.env' }],
    ['bash', { command: 'git diff .env.example' }],
    ['bash', { command: "deploy <<'EOF'\nsee .env for more\nEOF" }],
  ] as const)('is not what is only spoken of: %s %j', (tool, input) => {
    expect(isHidden(tool, input, ['**/.env'])).toBe(true)
  })

  it('is found in the folder where a command runs', () => {
    const input = { command: 'git diff plan.md', workdir: '/app/docs' }
    expect(isHidden('bash', input, ['/app/docs/plan.md'])).toBe(false)
  })

  it('makes no input that nests without end a danger', () => {
    const input = `${'{"a":'.repeat(500)}[".env"]${'}'.repeat(500)}`
    expect([isHidden('lookup', input, ['**/.env']), isHidden('lookup', input, [])]).toEqual([
      true,
      true,
    ])
  })
})

describe('a rendition of fewer characters', () => {
  /** Whether the agent may put a summary in the place of what a command printed. */
  function mayShow(text: string, printed: string): boolean {
    const engine = engineWith(
      resolveSettings({ preset: 'balanced', schedule: 'eager', turnProtection: 0 }),
    )
    const said = (words: string): MessageDraft => ({
      role: 'user',
      items: [{ kind: 'text', text: words }],
    })
    engine.request([
      said('go'),
      {
        role: 'assistant',
        items: [{ kind: 'call', tool: 'bash', call: 'c1', text: '{"command":"make"}' }],
      },
      {
        role: 'tool',
        items: [{ kind: 'result', tool: 'bash', call: 'c1', status: 'ok', text: printed }],
      },
      { role: 'assistant', items: [{ kind: 'text', text: 'done' }] },
      said('more'),
    ])
    const { handle = '' } = engine.record.items.find(({ kind }) => kind === 'result') ?? {}
    const rendition = { how: 'distilled', text: text.replace('HANDLE', handle) } as const
    return engine.ask(handle, { rendition, reason: 'agent', strategy: 'context_prune' })
  }

  const words = 'The command could not do what it was asked to do here'
  const signs = '[✗ a1 · b2 · c3 · d4 · context_restore HANDLE]'

  it('is refused where it is more tokens', () => {
    expect(signs.length).toBeLessThan(words.length)
    expect(estimateTokens(signs)).toBeGreaterThan(estimateTokens(words))
    expect(mayShow(signs, words)).toBe(false)
  })

  it('is allowed where it is no more tokens, or the original is far longer', () => {
    expect(
      mayShow('[could not do it · context_restore HANDLE]', `${words}, as far as anybody knows`),
    ).toBe(true)
    expect(mayShow(signs, `${words}, ${words}`)).toBe(true)
  })
})
