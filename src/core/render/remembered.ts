export interface RememberedOptions {
  /** So many answers are kept; sessions repeat few of their questions, and those soon. */
  readonly most?: number
  /** Longer texts hardly come twice. */
  readonly longest?: number
}

/**
 * The same function, which works out an answer only once for as long as it is remembered. For pure functions whose
 * answers nobody changes.
 */
export function remembered<Answer>(
  work: (text: string) => Answer,
  { most = 512, longest = 512 }: RememberedOptions = {},
): (text: string) => Answer {
  const answers = new Map<string, Answer>()
  return (text) => {
    // Before the look-up, which goes through the whole text.
    if (text.length > longest) return work(text)
    const known = answers.get(text)
    if (known !== undefined) return known
    const answer = work(text)
    if (answers.size >= most) answers.clear()
    answers.set(text, answer)
    return answer
  }
}
