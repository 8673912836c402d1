import type { Action, ShellAction } from '../core/words/action.ts'
import type { Fields } from './call-input.ts'
import { parsePatch } from './patch.ts'
import { parseShell } from './shell/index.ts'

const shells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'fish', 'pwsh', 'powershell', 'cmd'])

/** A call that runs a command, given as a line or as an argument list. */
export function shellCall(fields: Fields): Action | null {
  const source = fields.record('action') ?? fields
  const workdir =
    source.text('workdir', 'cwd', 'workingdirectory', 'dirpath', 'directory', 'workingdir') ?? null
  const line = source.text('cmd', 'command', 'commandline', 'script', 'code')
  if (line !== null) return shellAction(line, workdir)
  const words = source.list('command', 'cmd', 'argv', 'commands')
  if (words === null || words.length === 0 || !words.every((word) => typeof word === 'string')) {
    return null
  }
  // Codex calls the patch tool like a program.
  if (/(^|\/)(apply_patch|applypatch)$/.test(words[0] ?? '') && words.length === 2) {
    return { kind: 'patch', files: parsePatch(words[1] ?? '') }
  }
  return shellAction(commandOf(words), workdir)
}

/** Cline's commands are whole lines, run side by side. */
export function shellLinesCall(fields: Fields): Action | null {
  const lines = fields.list('commands') ?? []
  if (lines.length === 0 || !lines.every((line) => typeof line === 'string'))
    return shellCall(fields)
  return shellAction(lines.join('\n'), null)
}

export function shellAction(command: string, workdir: string | null): ShellAction {
  const parsed = parseShell(command)
  return {
    kind: 'shell',
    command,
    workdir: workdir === '' ? null : workdir,
    reads: parsed.reads,
    changes: parsed.changes,
    query: parsed.query,
    continues: false,
  }
}

/** Polls, writes to or stops a command that an earlier call started. Its input may do anything. */
export function continuedShellCall(fields: Fields): ShellAction {
  const typed = fields.text('chars', 'input', 'stdin') ?? ''
  return {
    kind: 'shell',
    command: typed,
    workdir: null,
    reads: [],
    changes: typed === '' ? [] : [{ kind: 'unknown' }],
    query: null,
    continues: true,
  }
}

function commandOf(words: readonly string[]): string {
  const program =
    (words[0] ?? '')
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.exe$/i, '') ?? ''
  const option = words[1] ?? ''
  if (shells.has(program) && words.length >= 3 && /^(-\w*c|-command|\/c)$/i.test(option)) {
    return words[2] ?? ''
  }
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
