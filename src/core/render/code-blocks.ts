import { plural, restoreHint } from './fitting.ts'

export interface CodeBlockOptions {
  /** Blocks of more lines than this are shortened. */
  readonly limit: number
  /** How many of a block's first and of its last lines stay. */
  readonly keep: number
  readonly handle: string
}

/**
 * The text with the middle of its long fenced blocks left out and counted; the text itself when there is none. Fences
 * are read as CommonMark reads them, so shorter and other fences inside a block belong to it. A fence that is never closed
 * opens nothing here: what follows it may be prose.
 */
export function shortenCodeBlocks(text: string, options: CodeBlockOptions): string {
  const lines = text.split('\n')
  const shown: string[] = []
  let at = 0
  for (const block of closedBlocks(lines)) {
    shown.push(...lines.slice(at, block.open + 1))
    shown.push(...shortened(lines.slice(block.open + 1, block.close), options))
    at = block.close
  }
  return at === 0 ? text : [...shown, ...lines.slice(at)].join('\n')
}

/** The text without what stands inside its closed fenced blocks: all of it is the user's own words. */
export function proseOutsideCodeBlocks(text: string): string {
  const lines = text.split('\n')
  const prose: string[] = []
  let at = 0
  for (const block of closedBlocks(lines)) {
    prose.push(...lines.slice(at, block.open + 1))
    at = block.close
  }
  return [...prose, ...lines.slice(at)].join('\n')
}

interface Block {
  /** The lines of its two fences. */
  readonly open: number
  readonly close: number
}

function closedBlocks(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = []
  let open: { readonly line: number; readonly fence: string } | null = null
  for (const [line, text] of lines.entries()) {
    if (open === null) {
      const fence = openingFence(text)
      if (fence !== null) open = { line, fence }
    } else if (closes(text, open.fence)) {
      blocks.push({ open: open.line, close: line })
      open = null
    }
  }
  return blocks
}

function openingFence(line: string): string | null {
  const match = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/.exec(line)
  if (match === null) return null
  const [, fence = '', info = ''] = match
  return fence.startsWith('`') && info.includes('`') ? null : fence
}

function closes(line: string, fence: string): boolean {
  const match = /^ {0,3}(`{3,}|~{3,})[ \t\r]*$/.exec(line)?.[1]
  return match !== undefined && match[0] === fence[0] && match.length >= fence.length
}

function shortened(inside: readonly string[], options: CodeBlockOptions): readonly string[] {
  const { limit, keep, handle } = options
  if (inside.length <= limit || inside.length <= 2 * keep + 1) return inside
  const hidden = inside.slice(keep, inside.length - keep)
  const marker = `... [${plural(hidden.length, 'line')} left out · ${restoreHint(handle)}] ...`
  if (marker.length >= hidden.join('\n').length) return inside
  return [...inside.slice(0, keep), marker, ...inside.slice(inside.length - keep)]
}
