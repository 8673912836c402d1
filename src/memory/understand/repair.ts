import { type Cue, findCue } from './find-cue.ts'
import { findReparandum, type Reparandum } from './reparandum.ts'
import { readWords, type Word } from './words.ts'

/** One self-correction in a sentence. `text` is the sentence with all corrections applied. */
export interface Repair {
  readonly old: string
  readonly new: string
  readonly text: string
}

const mostRepairs = 6

/** The self-corrections of one sentence, with cues (`no wait`, `I mean`) or by starting over. */
export function findRepairs(sentence: string): readonly Repair[] {
  let { words, tail } = readWords(sentence)
  const found: { readonly old: string; readonly new: string }[] = []
  let from = 0
  while (found.length < mostRepairs) {
    const cue = findCue(words, from)
    if (!cue) break
    words = withoutEcho(words, cue)
    const reparandum = findReparandum(words, cue)
    const applied = applyRepair(words, cue, reparandum)
    const count = Math.max(1, reparandum.end - reparandum.start)
    found.push({
      old: spell(words.slice(reparandum.start, reparandum.end)),
      new: spell(
        reparandum.start === 0 ? words.slice(cue.end) : words.slice(cue.end, cue.end + count),
      ),
    })
    words = applied
    from = Math.max(1, reparandum.start)
  }
  if (found.length === 0) return []
  const text = spell(words) + tail
  return found.map((repair) => ({ ...repair, text: text.trim() }))
}

/** Removes the repeated old value: `Normandy not Norse`. */
function withoutEcho(words: readonly Word[], cue: Cue): readonly Word[] {
  const said = new Set(words.slice(0, cue.start).map((word) => word.lower))
  for (let index = cue.end + 1; index < words.length - 1; index++) {
    if (words[index]!.lower !== 'not') continue
    let end = index + 1
    while (end < words.length && said.has(words[end]!.lower)) end++
    if (end > index + 1 && end === words.length) return words.slice(0, index)
  }
  return words
}

function applyRepair(words: readonly Word[], cue: Cue, reparandum: Reparandum): readonly Word[] {
  const [first, ...rest] = words.slice(cue.end)
  const head = words.slice(0, reparandum.start)
  const kept = words.slice(reparandum.end, cue.start)
  const replaced = words[reparandum.start]!
  const opened = head.length === 0 && /^\p{Lu}/u.test(replaced.text) ? capitalised(first!) : first!
  return [...head, { ...opened, gap: replaced.gap }, ...rest, ...kept]
}

function capitalised(word: Word): Word {
  return { ...word, text: word.text.charAt(0).toUpperCase() + word.text.slice(1) }
}

function spell(words: readonly Word[]): string {
  return words.map((word, index) => (index === 0 ? '' : word.gap || ' ') + word.text).join('')
}
