import { type ActionOptions, actionOf, createPaths } from '../actions/index.ts'
import { changedFiles, changesOf, readPaths } from '../core/words/effects.ts'
import type { Item } from '../core/words/item.ts'
import type { Recording } from '../recordings/recording.ts'
import { replay } from '../replay/replay.ts'
import { describeAction } from './describe-action.ts'
import { plural, short } from './figures.ts'
import type { Terminal } from './terminal.ts'

type Result = Item & { readonly kind: 'result' }

interface LineOptions extends ReplayLinesOptions {
  readonly cwd: string | null
}

export interface ReplayLinesOptions extends ActionOptions {
  readonly terminal: Terminal
}

/** A session for people: one line per tool call, with its size and which earlier reads it repeats or makes stale. */
export function* replayLines(recording: Recording, options: ReplayLinesOptions): Generator<string> {
  const { terminal } = options
  const { colors } = terminal
  yield colors.bold(`${recording.format} session ${recording.session ?? ''}`.trim()) +
    colors.dim(`  ${recording.model ?? 'unknown model'}`)
  yield colors.dim('turn  context  what happened')

  const sizes = new Map<number, number>()
  const items: Item[] = []
  for (const step of replay(recording)) {
    if (step.kind === 'items') items.push(...step.items)
    else
      sizes.set(
        step.n,
        step.view.reduce((sum, { item }) => sum + item.tokens, 0),
      )
  }
  const results = new Map<string, Result>()
  for (const item of items) if (item.kind === 'result') results.set(item.call, item)

  const notes = createNotes(recording, options)
  let turnShown = 0
  for (const item of items) {
    const what = lineOf(item, results, notes, { ...options, cwd: recording.cwd })
    if (what === null) continue
    const isNew = item.role === 'assistant' && item.turn !== turnShown
    if (isNew) turnShown = item.turn
    const left = isNew
      ? `${String(item.turn).padStart(4)}  ${short(sizes.get(item.turn) ?? 0).padStart(7)}`
      : ' '.repeat(13)
    const [first = '', ...more] = what
    yield `${colors.dim(left)}  ${first}`
    for (const line of more) yield `${' '.repeat(17)}${line}`
  }

  yield ''
  yield notes.summary()
}

function lineOf(
  item: Item,
  results: ReadonlyMap<string, Result>,
  notes: Notes,
  options: LineOptions,
): readonly string[] | null {
  const { colors, columns } = options.terminal
  const room = Math.max(30, columns - 16)
  const firstLine = (text: string): string => text.trim().split('\n', 1)[0]?.slice(0, room) ?? ''
  if (item.kind === 'text' && item.text.trim() !== '') {
    return item.role === 'user'
      ? [colors.cyan(`> ${firstLine(item.text).slice(0, room - 2)}`)]
      : [colors.dim(firstLine(item.text))]
  }
  if (item.kind !== 'call') return null
  const result = results.get(item.call)
  const size = result === undefined ? 'no result' : `${short(result.tokens)} tokens`
  const failed = result?.status === 'error' ? colors.red(' failed') : ''
  const note = notes.about(item, result?.status === 'ok')
  const spelled = describeAction(item.tool, actionOf(item, options))
  const described = relativeTo(options.cwd, spelled).slice(0, room - 25)
  const line = `${described}  ${colors.dim(size)}${failed}`
  if (note === '') return [line]
  const length = described.length + size.length + (failed === '' ? 0 : 7) + note.length + 4
  // Notes that do not fit stand below.
  return length <= room ? [`${line}${colors.yellow(`  ${note}`)}`] : [line, colors.yellow(note)]
}

/** Shortens paths in the session's folder. */
function relativeTo(cwd: string | null, text: string): string {
  return cwd === null || cwd === '/' ? text : text.replaceAll(`${cwd}/`, '')
}

interface Notes {
  /** Says what the call repeats or makes stale; empty when nothing. */
  about(call: Item & { readonly kind: 'call' }, succeeded: boolean): string
  summary(): string
}

function createNotes(recording: Recording, options: ActionOptions): Notes {
  const paths = createPaths({ cwd: recording.cwd })
  const readAt = new Map<string, number>()
  const calledAt = new Map<string, number>()
  let rereads = 0
  let stale = 0
  let repeated = 0
  return {
    about(call, succeeded) {
      const action = actionOf(call, options)
      const workdir = action.kind === 'shell' ? action.workdir : null
      const found: string[] = []
      const same = calledAt.get(`${call.tool}\n${call.text}`)
      if (same !== undefined) {
        repeated++
        found.push(`same call as at turn ${same}`)
      }
      calledAt.set(`${call.tool}\n${call.text}`, call.turn)
      for (const path of readPaths(action)) {
        const file = paths.canonical(path, workdir)
        const before = readAt.get(file)
        if (before !== undefined) {
          rereads++
          if (same === undefined) found.push(`read before at turn ${before}`)
        }
        if (succeeded) readAt.set(file, call.turn)
      }
      for (const path of succeeded ? changesOf(action).flatMap(changedFiles) : []) {
        const before = readAt.get(paths.canonical(path, workdir))
        if (before === undefined) continue
        stale++
        found.push(`makes the read at turn ${before} stale`)
      }
      return found.join(', ')
    },
    summary: () =>
      `${plural(rereads, 're-read')}, ${plural(repeated, 'repeated call')}, ${plural(stale, 'change')} that made an earlier read stale`,
  }
}
