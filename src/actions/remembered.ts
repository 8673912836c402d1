/** So many answers are kept; sessions repeat few of their questions, and those soon. */
const mostKept = 512
/** Longer texts hardly come twice. */
const longestText = 512

/**
 * The same function, which works out an answer only once for as long as it is remembered. For pure functions whose
 * answers nobody changes.
 */
export function remembered<Answer>(work: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>()
  return (text) => {
    // Before the look-up, which goes through the whole text.
    if (text.length > longestText) return work(text)
    const known = answers.get(text)
    if (known !== undefined) return known
    const answer = work(text)
    if (answers.size >= mostKept) answers.clear()
    answers.set(text, answer)
    return answer
  }
}
