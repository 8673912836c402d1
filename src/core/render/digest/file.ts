import { foldStructure } from './fold-structure.ts'
import type { Output, OutputKind } from './output.ts'

/** File text that a command or a tool printed. The agent edits from it, so it is folded by structure or stays whole. */
export const file: OutputKind = {
  kind: 'file',
  bestFit: 0.93,
  fits: (output) => (printsFile(output) ? 0.93 : 0),
  digest(output, limits) {
    const { text } = output.source
    const { targetChars, recall } = limits
    return foldStructure(text, { targetChars, recall }) ?? text
  },
}

const printers = /^(?:cat|bat|batcat|head|tail|sed|awk|gawk|nl|less|more)$/
const isSvg = /^\s*<svg[\s>]/
const notEdited = /\.(?:log|out|err|jsonl|csv|tsv|lock)$/

function printsFile({ source: { action }, programs, lines }: Output): boolean {
  // An SVG is fetched to be pasted, so it counts as file text.
  if (action?.kind === 'read' || lines.slice(0, 8).some((line) => isSvg.test(line))) return true
  if (action?.kind !== 'shell') return false
  const prints = programs.some(
    ([program = '', ...words]) => printers.test(program) || showsAround(program, words),
  )
  const isFileText = action.reads.some(
    ({ path, lines }) => !notEdited.test(path) && (lines !== null || prints),
  )
  return isFileText || programs.some(([program = '', ...words]) => isGitShow(program, words))
}

/** `grep -A 40 'class Parser' file` is a way to read a part of a file. */
function showsAround(program: string, words: readonly string[]): boolean {
  if (!/^(?:grep|rg)$/.test(program)) return false
  return words.some((word, at) => {
    const lines = /^-[ABC](\d*)$/.exec(word)?.[1]
    return lines !== undefined && Number(lines === '' ? words[at + 1] : lines) >= 10
  })
}

function isGitShow(program: string, words: readonly string[]): boolean {
  return (
    program === 'git' && words.includes('show') && words.some((word) => /^[^-\s]\S*:\S/.test(word))
  )
}
