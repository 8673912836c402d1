import { withoutTrailing } from '../../core/words/text.ts'

const abbreviation =
  /\b(?:e\.g|i\.e|etc|vs|cf|mr|mrs|ms|dr|no|approx|incl|a\.m|p\.m|st|jr|inc|ltd|corp)\.$/i

/** The sentences of a text, in order, with their closing marks. A line break ends one too. */
export function splitSentences(text: string): readonly string[] {
  const sentences: string[] = []
  for (const line of text.split(/\n+/)) {
    let start = 0
    for (const match of line.matchAll(/(?<![.…])[.!?]+["')\]]*(?=\s|$)|…(?=\s+\p{Lu})/gu)) {
      const end = match.index + match[0].length
      if (abbreviation.test(line.slice(start, end))) continue
      // Several dots before a small letter are a pause, not the end of a sentence: `use npm.. no, pnpm`.
      if (/^\.+$/.test(match[0]) && match[0].length > 1 && /^\s+\p{Ll}/u.test(line.slice(end)))
        continue
      sentences.push(line.slice(start, end))
      start = end
    }
    sentences.push(line.slice(start))
  }
  return sentences
    .flatMap(withoutQuestion)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** A sentence without full stops and exclamation marks at its end. */
export function withoutEndMark(sentence: string): string {
  return withoutTrailing(sentence, '.!')
}

const statementAndQuestion =
  /^(?<stated>(?:(?:so|ok|okay|also|and|hey|hi|btw)[,\s]+)*(?:i|i'm|i've|we|we've|we're|my|our|it's|the|this)\b.{8,}?),\s+(?<asked>(?:(?:so|and|but)\s+)?(?:can|could|would|will|how|what|which|when|where|why|should|do|does|is|are|any)\b.*\?["')\]]*)$/isu

/** `We moved to pnpm, can you update the script?` is a statement and a question. */
function withoutQuestion(sentence: string): readonly string[] {
  const groups = statementAndQuestion.exec(sentence.trim())?.groups
  return groups === undefined ? [sentence] : [groups.stated!, groups.asked!]
}
