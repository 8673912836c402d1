/** Titles from the highest to the lowest rank. */
const ranks: readonly RegExp[] = [
  /\b(?:board|regulator|court)\b/i,
  /\b(?:ceo|founder|president|owner)\b/i,
  /\b(?:c[a-z]o|chief|company policy|policy)\b/i,
  /\b(?:s?vp|vice president|general counsel)\b/i,
  /\b(?:director|head)\b/i,
  /\b(?:manager|lead|principal|architect)\b/i,
  /\b(?:senior|engineer|developer|analyst|representative|rep|specialist|support|associate)\b/i,
  /\b(?:junior|contractor|consult\w*|intern|assistant|external)\b/i,
]

/** The rank of a named speaker: `Vera (VP Engineering): …`, `[PM (Project Manager)]: …`, `[VP] …`. 0: nobody is named. */
export function speakerRank(text: string): number {
  const match =
    /^\s*\[?[\p{L}\p{N}'. -]{1,40}\((?<role>[^)]{2,60})\)\]?\s*:/u.exec(text) ??
    /^\s*\[(?<role>[^\]]{2,40})\]/u.exec(text)
  const role = match?.groups?.role
  if (role === undefined) return 0
  // External speakers have the lowest rank, whatever their title.
  const place = /\b(?:contractor|consult\w*|external|intern)\b/i.test(role)
    ? ranks.length - 1
    : ranks.findIndex((pattern) => pattern.test(role))
  return place < 0 ? 0 : ranks.length - place
}
