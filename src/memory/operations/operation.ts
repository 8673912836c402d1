import type * as z from 'zod'
import { PalimpsestError } from '../../core/words/errors.ts'
import type { ForgetTarget } from '../forget/forget-matching.ts'
import type { Memory } from '../memory.ts'
import type { Place } from '../observe.ts'
import { knownItem } from '../state/link-items.ts'
import type { ItemState } from '../state/memory-state.ts'
import type { DecisionRecord } from '../transfer/decision-records.ts'
import { isVisible, type Reach } from '../visible.ts'

/** The memory, the caller of an operation, and access to copies outside of the memory. */
export interface MemoryAccess {
  readonly memory: Memory
  readonly place: Place
  /** A person at the command line sees every item; an agent sees the items of its own place. */
  readonly caller: 'person' | 'agent'
  /** The sessions whose messages the caller may search; all of them when left out. */
  reach?(): Promise<Reach>
  /** False when a person declined, or when the client has to ask them first. */
  consent(removal: Removal): Promise<boolean>
  /** Removes the target's text from stored sessions. Returns the ids of the sessions that had it. */
  forgetInSessions(target: ForgetTarget): Promise<readonly string[]>
  /** Removes the target's text from exported files. */
  forgetInExports(target: ForgetTarget): ForgottenInExports
  /** Only a person may read and write files. */
  readonly files?: MemoryFiles
}

export interface MemoryFiles {
  /** A `.jsonl` or `.md` file, or a folder of decision records. */
  read(path: string): Promise<ImportSource>
  /** Writes a file, or a folder of decision records, and remembers that it is an export. */
  write(path: string, exported: ExportedMemory): Promise<void>
}

export type ExportFormat = 'jsonl' | 'markdown' | 'adr'

export interface ExportedMemory {
  readonly format: ExportFormat
  /** Lines of JSON, one Markdown section, or decision records, which have file names. */
  readonly parts: readonly { readonly file?: string; readonly text: string }[]
}

export type ImportSource =
  | { readonly format: 'jsonl'; readonly text: string }
  | { readonly format: 'markdown'; readonly text: string }
  | { readonly format: 'adr'; readonly records: readonly DecisionRecord[] }

/** A change that cannot be undone. */
export interface Removal {
  readonly action: 'memory forget' | 'memory import'
  readonly ids: readonly string[]
  /** The question for a person who typed the command. */
  readonly question: string
  /** The question for a person whose agent asked for it; it says what would be removed. */
  readonly detailedQuestion: string
  /** The arguments of `palimpsest` with which a person does it. */
  readonly command: readonly string[]
}

export interface ForgottenInExports {
  readonly changed: readonly string[]
  /** Files that may still contain the text, and why they were not changed. */
  readonly left: readonly LeftFile[]
}

export interface LeftFile {
  readonly path: string
  readonly reason: string
}

/** How an operation looks on the command line. */
export interface CommandForm<Input> {
  readonly description: string
  readonly arguments?: readonly (readonly [name: string, description: string])[]
  readonly options?: readonly (readonly [flags: string, description: string, standard?: string])[]
  readonly help?: string
  /** Converts arguments and options into the input. A repeated argument is an array. */
  input(words: readonly (string | readonly string[] | undefined)[], options: CommandOptions): Input
}

export type CommandOptions = Readonly<Record<string, string | undefined>>

interface OperationDefinition<Input, Result> {
  /** `list` is the command `memory list` and the tool `memory_list`. */
  readonly name: string
  readonly effect: 'reads' | 'adds' | 'removes'
  readonly input: z.ZodType<Input>
  readonly command: CommandForm<NoInfer<Input>>
  readonly toolDescription: string
  /** Returns null when consent was not given. */
  run(input: Input, access: MemoryAccess): Promise<Result | null> | Result | null
  /** The output lines for a person. */
  text(result: Result): readonly string[]
  /** `exact`: a pipe gets the text byte for byte, because programs read it too. */
  readonly output?: 'exact'
  /** Lines for standard error. */
  notices?(result: Result): readonly string[]
  /** The output of `--json`, by default the result; null when the option has no effect. */
  readonly json?: ((result: Result) => unknown) | null
  /** The tool's answer, text or a value for JSON; by default the result. */
  answer?(result: Result): unknown
  /** Whether the command line ends with exit code 1. */
  isFailure?(result: Result): boolean
}

/** An operation without its input and result types, so that all fit in one list. */
export interface MemoryOperation
  extends Pick<
    OperationDefinition<unknown, unknown>,
    'name' | 'effect' | 'input' | 'command' | 'toolDescription' | 'output'
  > {
  run(input: unknown, access: MemoryAccess): Promise<OperationResult | null>
}

export interface OperationResult {
  text(): readonly string[]
  notices(): readonly string[]
  /** One line of JSON; null when the operation has none. */
  json(): string | null
  answer(): string
  readonly isFailure: boolean
}

export function memoryOperation<Input, Result>(
  definition: OperationDefinition<Input, Result>,
): MemoryOperation {
  const { json = (result) => result, answer = (result) => result } = definition
  return {
    ...definition,
    async run(input, access) {
      const result = await definition.run(input as Input, access)
      if (result === null) return null
      return {
        text: () => definition.text(result),
        notices: () => definition.notices?.(result) ?? [],
        json: () => (json === null ? null : JSON.stringify(json(result))),
        answer() {
          const answered = answer(result)
          return typeof answered === 'string' ? answered : JSON.stringify(answered)
        },
        isFailure: definition.isFailure?.(result) ?? false,
      }
    },
  }
}

/** Whether the caller may see an item. True for unknown ids, which reveal nothing. */
export function canSee({ memory, place, caller }: MemoryAccess, id: string): boolean {
  const entry = memory.state.items.get(id)
  return caller === 'person' || entry === undefined || isVisible(entry.item.scope, place)
}

const shortestPrefix = 4

/** The whole id for an id or its beginning, with or without the kind: `3f9a1c` for `fact_3f9a1c…`. */
export function wholeId(access: MemoryAccess, text: string): string {
  const { items, tombstones } = access.memory.state
  if (items.has(text) || tombstones.has(text) || text.length < shortestPrefix) return text
  const found = [...items.keys()].filter(
    (id) =>
      canSee(access, id) && (id.startsWith(text) || id.slice(id.indexOf('_') + 1).startsWith(text)),
  )
  if (found.length > 1)
    throw new PalimpsestError(
      'usage',
      `${text} is the beginning of several ids: ${found.join(', ')}`,
    )
  return found[0] ?? text
}

/** @throws PalimpsestError with code `absent` when the caller sees no such item. */
export function visibleItem(access: MemoryAccess, id: string): ItemState {
  const { state } = access.memory
  if (access.caller === 'agent' && !(state.items.has(id) && canSee(access, id)))
    throw new PalimpsestError('absent', `there is no memory item ${id}`)
  return knownItem(state, id)
}
