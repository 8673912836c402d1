import { middleLines, type Recall, restoreHint } from './marks.ts'

export interface CodeBlockOptions {
  /** Blocks of more lines than this are shortened. */
  readonly limit: number
  /** The number of lines that stay at each end of a block. */
  readonly keep: number
  readonly recall: Recall
}

/**
 * The text with the middle of its long fenced blocks left out and counted. Fences follow CommonMark, so shorter and other
 * fences inside a block belong to it. Blocks that may not be closed are not shortened: one that contains another opening
 * fence, and all blocks of a kind when one is never closed.
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

/** The text without the content of its closed fenced blocks. */
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
  /** The line numbers of its two fences. */
  readonly open: number
  readonly close: number
}

interface Fence {
  readonly marks: string
  /** The text after it, usually the name of a language. */
  readonly info: string
}

function closedBlocks(lines: readonly string[]): readonly Block[] {
  const blocks: (Block & { readonly marks: string })[] = []
  let open: { readonly line: number; readonly marks: string; isCertain: boolean } | null = null
  for (const [line, text] of lines.entries()) {
    const fence = fenceIn(text)
    if (fence === null) continue
    if (open === null) open = { line, marks: fence.marks, isCertain: true }
    else if (!isAsLong(fence.marks, open.marks)) continue
    else if (fence.info !== '') open.isCertain = false
    else {
      if (open.isCertain) blocks.push({ open: open.line, close: line, marks: open.marks })
      open = null
    }
  }
  const left = open?.marks[0]
  return left === undefined ? blocks : blocks.filter(({ marks }) => marks[0] !== left)
}

function fenceIn(line: string): Fence | null {
  const match = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/.exec(line)
  if (match === null) return null
  const [, marks = '', info = ''] = match
  return marks.startsWith('`') && info.includes('`') ? null : { marks, info: info.trim() }
}

/** True for a fence that could close the other one, if no text followed it. */
function isAsLong(marks: string, opened: string): boolean {
  return marks[0] === opened[0] && marks.length >= opened.length
}

function shortened(inside: readonly string[], options: CodeBlockOptions): readonly string[] {
  const { limit, keep, recall } = options
  if (inside.length <= limit || inside.length <= 2 * keep + 1) return inside
  const hidden = inside.slice(keep, inside.length - keep)
  const marker = middleLines.write(hidden.length, restoreHint(recall))
  if (marker.length >= hidden.join('\n').length) return inside
  return [...inside.slice(0, keep), marker, ...inside.slice(inside.length - keep)]
}
