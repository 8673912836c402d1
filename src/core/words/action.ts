/**
 * What a tool call does, in one vocabulary for all agents. `src/actions` parses calls into actions; trackers and
 * strategies work on actions only. Paths are as the agent wrote them until `canonicalPath` normalises them.
 */

/** Lines counted from 1, both ends included; `end: null` means to the end of the file. */
export interface LineRange {
  readonly start: number
  readonly end: number | null
}

export type TextEdit =
  | {
      readonly kind: 'replace'
      readonly oldText: string
      readonly newText: string
      readonly all: boolean
    }
  /** Inserts after the given line; 0 puts the text at the top. */
  | { readonly kind: 'insert'; readonly afterLine: number; readonly text: string }
  /** Replaces whole lines, as SWE-agent's `edit 10:20` does. */
  | { readonly kind: 'lines'; readonly lines: LineRange; readonly text: string }
  /** A notebook's cell. */
  | {
      readonly kind: 'cell'
      readonly cell: string
      readonly mode: 'replace' | 'insert' | 'delete'
      readonly text: string
    }
  | { readonly kind: 'undo' }

export interface PatchHunk {
  /** The text after `@@`, or the empty string. */
  readonly heading: string
  /** 1-based first line in the old file; null when the patch format has no line numbers. */
  readonly oldStart: number | null
  /** Each line with its sign: ` ` context, `-` removed, `+` added. */
  readonly lines: readonly { readonly sign: ' ' | '-' | '+'; readonly text: string }[]
}

export type FilePatch =
  | { readonly op: 'add'; readonly path: string; readonly content: string }
  | { readonly op: 'delete'; readonly path: string }
  | {
      readonly op: 'update'
      readonly path: string
      readonly movedTo: string | null
      readonly hunks: readonly PatchHunk[]
    }

/** A file that a shell command prints, whole or in part. */
export interface ShellRead {
  readonly path: string
  /** null when the lines are unknown (`tail -n`, `grep`); the whole file is `{ start: 1, end: null }`. */
  readonly lines: LineRange | null
  /** True when the command's output is exactly those lines. */
  readonly exact: boolean
  /** True when the output carries line numbers (`nl`, `cat -n`, `grep -n`). */
  readonly numbered: boolean
}

export type ShellChange =
  /** The new text is known from the command itself (`cat > f <<'EOF'`). */
  | {
      readonly kind: 'write'
      readonly path: string
      readonly content: string
      readonly append: boolean
    }
  /** The file changes in a way that the command does not spell out (`sed -i`). */
  | { readonly kind: 'change'; readonly path: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }
  | { readonly kind: 'copy'; readonly path: string; readonly to: string }
  /** The patch passed to `apply_patch` or `git apply` in the command. */
  | { readonly kind: 'patch'; readonly files: readonly FilePatch[] }
  /** Any file may have changed (`git checkout .`, a formatter without a path, an unknown script). */
  | { readonly kind: 'unknown' }

export interface ReadAction {
  readonly kind: 'read'
  readonly path: string
  /** null for the whole file, up to the tool's own limit. */
  readonly lines: LineRange | null
}
export interface WriteAction {
  readonly kind: 'write'
  readonly path: string
  readonly content: string
}
export interface EditAction {
  readonly kind: 'edit'
  readonly path: string
  readonly edits: readonly TextEdit[]
}
export interface PatchAction {
  readonly kind: 'patch'
  readonly files: readonly FilePatch[]
}
export interface ShellAction {
  readonly kind: 'shell'
  readonly command: string
  /** The working directory given in the call, or null for the agent's current one. */
  readonly workdir: string | null
  readonly reads: readonly ShellRead[]
  readonly changes: readonly ShellChange[]
  /** The whole normalised command when it only reads state (`ls`, `git status`, …), else null. */
  readonly query: string | null
  /** True when this call continues an earlier command (Codex `write_stdin`) and starts none of its own. */
  readonly continues: boolean
}
export interface SearchAction {
  readonly kind: 'search'
  readonly pattern: string
  readonly path: string | null
  readonly include: string | null
}
export interface GlobAction {
  readonly kind: 'glob'
  readonly pattern: string
  readonly path: string | null
}
export interface FetchAction {
  readonly kind: 'fetch'
  /** Exactly one of `url` (fetch a page) and `query` (web search) is set. */
  readonly url: string | null
  readonly query: string | null
}

export interface ListedTask {
  readonly id: string | null
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled'
  readonly priority: string | null
}
export interface ListAction {
  readonly kind: 'list'
  /** `write` replaces the whole list; `create` and `update` change one task; `read` changes nothing. */
  readonly op: 'write' | 'read' | 'create' | 'update'
  readonly tasks: readonly ListedTask[]
}
export interface TaskAction {
  readonly kind: 'task'
  readonly description: string
  readonly prompt: string
}
export interface OtherAction {
  readonly kind: 'other'
}

export type Action =
  | ReadAction
  | WriteAction
  | EditAction
  | PatchAction
  | ShellAction
  | SearchAction
  | GlobAction
  | FetchAction
  | ListAction
  | TaskAction
  | OtherAction

export type ActionKind = Action['kind']
