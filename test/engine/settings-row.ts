import type { ItemDraft, MessageDraft } from '../../src/core/words/item.ts'
import type { Settings } from '../../src/core/words/settings.ts'
import { lines, type ToldCall, type ToldTurn } from './told-session.ts'

export const call = (
  id: string,
  tool: string,
  input: object,
  output: string = lines(1, 8),
): ToldCall => ({
  id,
  tool,
  input: { ...input },
  output,
})
export const failed = (told: ToldCall): ToldCall => ({ ...told, status: 'error' })
export const run = (id: string, output = 'ok'): ToldCall =>
  call(id, 'bash', { command: `run ${id}` }, output)
export const idle = (count: number): readonly ToldTurn[] =>
  Array.from({ length: count }, (_, n) => [run(`idle${n}`)])
export const file = (id: string, path = 'a.ts', output: string = lines(1, 8)): ToldCall =>
  call(id, 'read', { filePath: path }, output)
export const edit = (id: string, word: string): ToldCall =>
  call(id, 'edit', { filePath: 'a.ts', oldString: lines(1, 3, word), newString: word }, 'ok')
export const fetched = (id: string): ToldCall =>
  call(id, 'webfetch', { url: 'https://example.org' }, `${id} ${lines(1, 8)}`)
export const user = (...items: readonly ItemDraft[]): MessageDraft => ({ role: 'user', items })
export const says = (...items: readonly ItemDraft[]): MessageDraft => ({ role: 'assistant', items })
export const marker = (kind: string): ItemDraft => ({
  kind: 'marker',
  marker: kind,
  text: '{"path":"a.ts"}',
})

export interface Row {
  /** What else must be on for the key to be seen. */
  readonly with?: Partial<Settings>
  readonly session: readonly ToldTurn[] | readonly MessageDraft[]
  /** Values of the key, each with what is shown differently under it: `call: how reason`. */
  readonly shows: readonly (readonly [value: unknown, changes: readonly string[]])[]
  /** What the agent asks to be discarded, by call. */
  readonly discards?: string
}

export const onOff = (row: Omit<Row, 'shows'>, changes: readonly string[]): Row => ({
  ...row,
  shows: [
    [true, changes],
    [false, []],
  ],
})

export const fetches: readonly ToldTurn[] = [[fetched('a')], [fetched('b')], ...idle(2)]
