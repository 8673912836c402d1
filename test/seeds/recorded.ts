import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { type CapturedRun, captureRun } from '../captured-run.ts'
import { type Act, outputOf } from './acted.ts'

export const recordedFolder = '/home/dev/the app'

/** Tools of OpenCode by the names that Claude Code gives them. */
const names: Readonly<Record<string, string>> = {
  read: 'Read',
  write: 'Write',
  edit: 'Edit',
  bash: 'Bash',
  todowrite: 'TodoWrite',
}
const keys: Readonly<Record<string, string>> = {
  filePath: 'file_path',
  oldString: 'old_string',
  newString: 'new_string',
}

/** The command line on a recording of Claude Code with these calls, each in a turn of its own. */
export function recordedSession(
  acts: readonly Act[],
): (command: string, ...options: string[]) => Promise<CapturedRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest recorded '))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'session.jsonl')
  const line = (value: object): string =>
    `${JSON.stringify({ sessionId: 's', cwd: recordedFolder, ...value })}\n`
  const model = 'claude-opus-4-5'
  const turn = ({ tool, input, output, status }: Act, at: number): string => {
    const id = `call_${String(at + 1).padStart(3, '0')}`
    const named = Object.entries(input).map(([key, value]) => [keys[key] ?? key, value])
    const use = {
      type: 'tool_use',
      id,
      name: names[tool] ?? tool,
      input: Object.fromEntries(named),
    }
    const result = {
      type: 'tool_result',
      tool_use_id: id,
      content: output ?? outputOf(at),
      ...(status === 'error' ? { is_error: true } : {}),
    }
    return (
      line({
        type: 'assistant',
        uuid: `a${at}`,
        message: { id: `m${at}`, role: 'assistant', model, content: [use] },
      }) + line({ type: 'user', uuid: `u${at}`, message: { role: 'user', content: [result] } })
    )
  }
  const message = { id: 'm', role: 'assistant', model, content: [{ type: 'text', text: 'Done.' }] }
  const answered = line({ type: 'assistant', uuid: 'a', message })
  const asked = line({ type: 'user', uuid: 'u', message: { role: 'user', content: 'Work on it.' } })
  writeFileSync(file, asked + acts.map(turn).join('') + answered)
  return (command, ...options) => captureRun([command, file, ...options], { cwd: folder })
}
