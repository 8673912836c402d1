import type { Engine } from '../core/engine.ts'
import type { FileState } from '../core/files/index.ts'
import { pathAsWritten } from '../core/render/path-as-written.ts'
import type { Operation } from '../core/words/operation.ts'
import type { Recording } from '../recordings/recording.ts'
import { type ChangedFile, changedFiles, changeLines, changelogOf } from './changelog.ts'
import { fileTimeline } from './file-timeline.ts'

/** A session that is going on, or a recorded one. */
export type SessionHistory = Pick<Engine, 'record' | 'files' | 'operationOf'> | Recording

/**
 * What a session did to each file, one line for each change, in the words of the edits' intents. Paths are relative to the
 * folder of a recording; in a session that is going on they are as the agent wrote them.
 *
 * @example
 * generateChangelog(session) // '- core/agent.py: Increased tool retention for better context'
 */
export function generateChangelog(session: SessionHistory): string {
  const isRecorded = 'events' in session
  const changed = isRecorded ? changelogOf(session) : asWritten([...operationsOf(session)])
  const cwd = isRecorded ? session.cwd : null
  return changed
    .flatMap((file) => changeLines(file, cwd))
    .map(({ text }) => text)
    .join('\n')
}

/**
 * A file as it was known after the results of a turn. The path may be relative, when only one file ends with it.
 *
 * @example
 * fileStateAt(session, 'config.py', 50).text
 */
export function fileStateAt(session: SessionHistory, path: string, turn: number): FileState {
  return 'events' in session
    ? fileTimeline(session, path).stateAt(turn)
    : session.files.stateAt(path, turn)
}

function asWritten(operations: readonly Operation[]): readonly ChangedFile[] {
  const texts = new Map(operations.map(({ call }) => [call.handle, call.text]))
  return changedFiles(operations).map(({ path, changes }) => {
    const first = changes[0]?.handle ?? ''
    return { path: pathAsWritten(path, texts.get(first) ?? ''), changes }
  })
}

function* operationsOf(engine: Pick<Engine, 'record' | 'operationOf'>): Iterable<Operation> {
  for (const item of engine.record.items) {
    const operation = item.kind === 'call' ? engine.operationOf(item) : undefined
    if (operation !== undefined) yield operation
  }
}
