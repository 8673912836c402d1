import type { RankedLines } from './stand-out.ts'

const header =
  /^\s{0,4}(?:diff --git |--- |\+\+\+ |@@ |rename |similarity |new file|deleted file|old mode|new mode|Binary files|commit [0-9a-f]{7,}|Author: |Date: |\*\*\* )/
const statLine = /^\s+\S.*\|\s+(?:\d+|Bin)\b|^\s*\d+ files? changed/

export function isDiff(lines: readonly string[]): boolean {
  const sample = lines.filter((line) => line.trim() !== '').slice(0, 400)
  if (!sample.some((line) => /^\s{0,4}(?:diff --git |@@ -\d|\*\*\* )/.test(line))) return false
  const alike = sample.filter((line) => /^\s{0,4}(?:[-+ ]|@@|diff |index |\*\*\* )/.test(line))
  return alike.length > sample.length / 2
}

/** Every changed line must stay, with its file and hunk. Context lines next to a change come next. */
export function rankDiff(lines: readonly string[]): RankedLines {
  const must: number[] = []
  const near: number[] = []
  const context: number[] = []
  const isChange = (at: number): boolean => /^\s{0,2}[-+]/.test(lines[at] ?? '')
  lines.forEach((line, at) => {
    if (header.test(line) || statLine.test(line) || isChange(at)) must.push(at)
    else if (isChange(at - 1) || isChange(at + 1)) near.push(at)
    else if (!/^\s{0,4}index [0-9a-f]+\.\./.test(line)) context.push(at)
  })
  // Text around the diff, such as a command's exit status, is not context.
  const outside = context.filter((at) => !/^[ \t]/.test(lines[at] as string) && lines[at] !== '')
  return { must: [...must, ...outside], useful: [...near, ...context], groups: [context] }
}
