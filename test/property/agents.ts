import type { AgentName } from './script.ts'
import { root } from './world.ts'

/** A call as an agent spells it. */
export interface SpelledCall {
  readonly tool: string
  /** JSON, or the tool's own text. */
  readonly input: string
}

export interface Replacement {
  readonly path: string
  readonly before: readonly string[]
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** The tools of one agent, and how it frames what they give. null: the agent has no such tool. */
export interface Agent {
  read(
    path: string,
    range: { readonly first: number; readonly count: number } | null,
  ): SpelledCall | null
  shownFile(path: string, first: number, lines: readonly string[]): string
  edit(change: Replacement): SpelledCall | null
  patch(change: Replacement): SpelledCall
  /** False where `patch` replaces text, as `edit` does. */
  readonly patchesLines: boolean
  write(path: string, content: string): SpelledCall
  shell(command: string): SpelledCall
  shellResult(command: string, output: string, exitCode: number): string
  list(tasks: readonly { readonly content: string; readonly status: string }[]): SpelledCall
  named(what: 'fetch' | 'search' | 'glob' | 'subagent' | 'list-read', value: string): SpelledCall
}

const call = (tool: string, input: object): SpelledCall => ({ tool, input: JSON.stringify(input) })
const absolute = (path: string): string => `${root}/${path}`

function patchText({ path, before, removed, added }: Replacement): string {
  const signed = (sign: string, lines: readonly string[]): string[] =>
    lines.map((line) => sign + line)
  return [
    '*** Begin Patch',
    `*** Update File: ${path}`,
    '@@',
    ...signed(' ', before),
    ...signed('-', removed),
    ...signed('+', added),
    '*** End Patch',
  ].join('\n')
}

const numbered = (first: number, lines: readonly string[], spell: (n: number) => string): string =>
  lines.map((line, index) => `${spell(first + index)}${line}`).join('\n')

const plainShell = (output: string, exitCode: number): string =>
  exitCode === 0 ? output : `${output}\nExit code ${exitCode}`

export const claudeCode: Agent = {
  patchesLines: false,
  read: (path, range) =>
    call('Read', {
      file_path: absolute(path),
      ...(range === null ? {} : { offset: range.first, limit: range.count }),
    }),
  shownFile: (_, first, lines) => numbered(first, lines, (n) => `${String(n).padStart(6)}→`),
  edit: ({ path, removed, added }) =>
    call('Edit', {
      file_path: absolute(path),
      old_string: removed.join('\n'),
      new_string: added.join('\n'),
    }),
  patch: ({ path, before, removed, added }) =>
    call('MultiEdit', {
      file_path: absolute(path),
      edits: [
        {
          old_string: [...before, ...removed].join('\n'),
          new_string: [...before, ...added].join('\n'),
        },
      ],
    }),
  write: (path, content) => call('Write', { file_path: absolute(path), content }),
  shell: (command) => call('Bash', { command, description: 'Runs it' }),
  shellResult: (_, output, exitCode) => plainShell(output, exitCode),
  list: (todos) =>
    call('TodoWrite', { todos: todos.map((todo) => ({ ...todo, activeForm: 'Doing it' })) }),
  named(what, value) {
    switch (what) {
      case 'fetch':
        return call('WebFetch', { url: value, prompt: 'What does it say?' })
      case 'search':
        return call('Grep', { pattern: value, path: root })
      case 'glob':
        return call('Glob', { pattern: value })
      case 'subagent':
        return call('Task', { description: 'Look', prompt: value, subagent_type: 'explore' })
      case 'list-read':
        return call('TodoRead', {})
    }
  },
}

const openCode: Agent = {
  patchesLines: true,
  read: (path, range) =>
    call('read', {
      filePath: absolute(path),
      ...(range === null ? {} : { offset: range.first, limit: range.count }),
    }),
  shownFile: (path, first, lines) =>
    `<path>${absolute(path)}</path>\n<type>file</type>\n<content>\n${numbered(first, lines, (n) => `${n}: `)}\n</content>`,
  edit: ({ path, removed, added }) =>
    call('edit', {
      filePath: absolute(path),
      oldString: removed.join('\n'),
      newString: added.join('\n'),
    }),
  patch: (change) => call('patch', { patchText: patchText(change) }),
  write: (path, content) => call('write', { filePath: absolute(path), content }),
  shell: (command) => call('bash', { command, description: 'Runs it' }),
  shellResult: (_, output, exitCode) => plainShell(output, exitCode),
  list: (todos) =>
    call('todowrite', {
      todos: todos.map((todo, index) => ({ ...todo, id: String(index), priority: 'high' })),
    }),
  named(what, value) {
    switch (what) {
      case 'fetch':
        return call('webfetch', { url: value, format: 'markdown' })
      case 'search':
        return call('grep', { pattern: value, include: '*.ts' })
      case 'glob':
        return call('glob', { pattern: value })
      case 'subagent':
        return call('task', { description: 'Look', prompt: value, subagent_type: 'explore' })
      case 'list-read':
        return call('todoread', {})
    }
  },
}

const codex: Agent = {
  patchesLines: true,
  read: () => null,
  shownFile: (_, __, lines) => `${lines.join('\n')}\n`,
  edit: () => null,
  patch: (change) => ({ tool: 'apply_patch', input: patchText(change) }),
  write: (path, content) => ({
    tool: 'apply_patch',
    input: `*** Begin Patch\n*** Add File: ${path}\n${content
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `+${line}`)
      .join('\n')}\n*** End Patch`,
  }),
  shell: (command) => call('exec_command', { cmd: command, workdir: root }),
  shellResult: (_, output, exitCode) =>
    `Chunk ID: 1a2b3c\nWall time: 0.1 seconds\nProcess exited with code ${exitCode}\nOutput:\n${output}`,
  list: (tasks) =>
    call('update_plan', { plan: tasks.map(({ content, status }) => ({ step: content, status })) }),
  named: (what, value) =>
    what === 'fetch' || what === 'subagent' || what === 'list-read'
      ? openCode.named(what, value)
      : codex.shell(what === 'search' ? `rg -n ${value}` : `rg --files -g '${value}'`),
}

const geminiCli: Agent = {
  patchesLines: false,
  read: (path, range) =>
    call('read_file', {
      absolute_path: absolute(path),
      ...(range === null ? {} : { offset: range.first - 1, limit: range.count }),
    }),
  shownFile: (_, __, lines) => lines.join('\n'),
  edit: ({ path, removed, added }) =>
    call('replace', {
      file_path: absolute(path),
      instruction: 'Change it.',
      old_string: removed.join('\n'),
      new_string: added.join('\n'),
    }),
  patch: ({ path, before, removed, added }) =>
    call('replace', {
      file_path: absolute(path),
      instruction: 'Change it.',
      old_string: [...before, ...removed].join('\n'),
      new_string: [...before, ...added].join('\n'),
    }),
  write: (path, content) => call('write_file', { file_path: absolute(path), content }),
  shell: (command) => call('run_shell_command', { command }),
  shellResult: (command, output, exitCode) =>
    `Command: ${command}\nDirectory: (root)\nStdout: ${output}\nStderr: (empty)\nError: (none)\nExit Code: ${exitCode}\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: (none)`,
  list: (tasks) =>
    call('write_todos', {
      todos: tasks.map(({ content, status }) => ({ description: content, status })),
    }),
  named(what, value) {
    switch (what) {
      case 'fetch':
        return call('web_fetch', { prompt: `Summarise ${value}` })
      case 'search':
        return call('search_file_content', { pattern: value })
      case 'glob':
        return call('glob', { pattern: value })
      case 'subagent':
        return call('delegate_to_agent', { agent_name: 'investigator', objective: value })
      case 'list-read':
        return openCode.named(what, value)
    }
  },
}

export const agents: Readonly<Record<AgentName, Agent>> = {
  'claude-code': claudeCode,
  opencode: openCode,
  codex,
  'gemini-cli': geminiCli,
}
