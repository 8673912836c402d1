import * as fc from 'fast-check'

export type AgentName = 'claude-code' | 'opencode' | 'codex' | 'gemini-cli'

/** One thing that an agent does with a tool. Numbers are choices, taken modulo what there is to choose from. */
export type Deed =
  | { readonly do: 'read'; readonly file: number; readonly from: number; readonly count: number }
  | {
      readonly do: 'print'
      readonly how: 'cat' | 'sed' | 'head' | 'nl'
      readonly file: number
      readonly from: number
      readonly count: number
    }
  | {
      readonly do: 'edit' | 'patch'
      readonly file: number
      readonly from: number
      readonly count: number
      readonly added: number
    }
  | { readonly do: 'write'; readonly file: number; readonly added: number }
  | {
      readonly do: 'command'
      readonly how: 'append' | 'sed' | 'remove' | 'move' | 'script' | 'heredoc' | 'test' | 'poll'
      readonly file: number
      readonly added: number
    }
  | { readonly do: 'query'; readonly command: number }
  | { readonly do: 'list'; readonly op: 'write' | 'read'; readonly done: number }
  | { readonly do: 'fetch'; readonly page: number }
  | { readonly do: 'search' | 'glob'; readonly pattern: number }
  | { readonly do: 'snapshot'; readonly file: number }
  | { readonly do: 'prune' | 'restore' }
  | { readonly do: 'subagent' | 'secret' | 'unknown'; readonly size: number }
  /** The very call that was made last, again. */
  | { readonly do: 'again' }

export interface DeedScript {
  readonly deed: Deed
  readonly fails: boolean
  readonly image: boolean
}

export type UserScript =
  | { readonly say: 'prose'; readonly size: number }
  | { readonly say: 'code'; readonly size: number; readonly tilde: boolean }
  | { readonly say: 'image' }

/** What becomes of the history before a turn. `back` counts messages from its end. */
export type Before =
  | { readonly kind: 'goes-on' }
  | { readonly kind: 'forked'; readonly back: number }
  | { readonly kind: 'edited'; readonly back: number }
  | { readonly kind: 'cleared'; readonly back: number }
  | { readonly kind: 'compacted'; readonly back: number }
  /** The request was sent, got no answer, and the user said more. */
  | { readonly kind: 'interrupted' }
  /** A person or another program changed a file without a trace. */
  | { readonly kind: 'outside'; readonly file: number }

export interface TurnScript {
  readonly before: Before
  readonly user: UserScript | null
  readonly reasoning: 'none' | 'plain' | 'signed' | 'opaque'
  readonly prose: boolean
  readonly markers: boolean
  readonly deeds: readonly DeedScript[]
  /** Whether the last of several calls has its result when the next request goes out. */
  readonly ending: 'complete' | 'running' | 'missing'
}

export interface SessionScript {
  readonly agent: AgentName
  readonly files: number
  readonly turns: readonly TurnScript[]
}

const small = fc.nat(12)
const file = fc.nat(5)
const place = { file, from: small, count: fc.integer({ min: 1, max: 9 }) }
const added = fc.nat(9)

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('read' as const), ...place }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('print' as const),
      how: fc.constantFrom('cat', 'sed', 'head', 'nl'),
      ...place,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('edit', 'edit', 'patch'), ...place, added }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('write' as const), file, added }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('command' as const),
      how: fc.constantFrom(
        'append',
        'sed',
        'remove',
        'move',
        'script',
        'heredoc',
        'test',
        'test',
        'poll',
      ),
      file,
      added,
    }),
  },
  fc.record({ do: fc.constant('query' as const), command: fc.nat(3) }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('list' as const),
      op: fc.constantFrom('write', 'write', 'read'),
      done: fc.nat(3),
    }),
  },
  fc.record({ do: fc.constant('fetch' as const), page: fc.nat(2) }),
  fc.record({ do: fc.constantFrom('search', 'glob'), pattern: fc.nat(2) }),
  fc.record({ do: fc.constant('snapshot' as const), file }),
  fc.record({ do: fc.constantFrom('prune', 'restore') }),
  fc.record({ do: fc.constantFrom('subagent', 'secret', 'unknown'), size: fc.nat(40) }),
  { weight: 3, arbitrary: fc.constant({ do: 'again' as const }) },
)

const deedScript: fc.Arbitrary<DeedScript> = fc.record({
  deed,
  fails: fc.nat(7).map((chance) => chance === 0),
  image: fc.nat(19).map((chance) => chance === 0),
})

const user: fc.Arbitrary<UserScript> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ say: fc.constant('prose' as const), size: small }) },
  fc.record({ say: fc.constant('code' as const), size: fc.nat(40), tilde: fc.boolean() }),
  fc.record({ say: fc.constant('image' as const) }),
)

const back = fc.nat(20)
const before: fc.Arbitrary<Before> = fc.oneof(
  { weight: 24, arbitrary: fc.constant({ kind: 'goes-on' as const }) },
  fc.record({
    kind: fc.constantFrom('forked', 'edited', 'cleared', 'compacted'),
    back,
  }),
  fc.constant({ kind: 'interrupted' as const }),
  fc.record({ kind: fc.constant('outside' as const), file }),
)

const turn: fc.Arbitrary<TurnScript> = fc.record({
  before,
  user: fc.option(user, { freq: 3 }),
  reasoning: fc.constantFrom('none', 'none', 'plain', 'signed', 'opaque'),
  prose: fc.boolean(),
  markers: fc.nat(5).map((chance) => chance === 0),
  deeds: fc.oneof(
    { weight: 3, arbitrary: fc.array(deedScript, { minLength: 1, maxLength: 1 }) },
    fc.array(deedScript, { maxLength: 4, size: 'max' }),
  ),
  ending: fc.constantFrom('complete', 'complete', 'complete', 'complete', 'running', 'missing'),
})

/** About 40 items at the median. */
export const sessionScript: fc.Arbitrary<SessionScript> = fc.record({
  agent: fc.constantFrom('claude-code', 'opencode', 'codex', 'gemini-cli'),
  files: fc.integer({ min: 3, max: 6 }),
  turns: fc.array(turn, { minLength: 1, maxLength: 22, size: 'max' }),
})
