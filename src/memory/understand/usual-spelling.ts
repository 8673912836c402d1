const left: Readonly<Record<string, string>> = {
  dont: "don't",
  doesnt: "doesn't",
  didnt: "didn't",
  isnt: "isn't",
  arent: "aren't",
  wasnt: "wasn't",
  werent: "weren't",
  wont: "won't",
  cant: "can't",
  couldnt: "couldn't",
  shouldnt: "shouldn't",
  wouldnt: "wouldn't",
  havent: "haven't",
  hasnt: "hasn't",
  im: "I'm",
  ive: "I've",
  youre: "you're",
  theyre: "they're",
  weve: "we've",
  thats: "that's",
  whats: "what's",
  lets: "let's",
  everythings: "everything's",
}

/** Puts back the apostrophes that people leave out when they type fast: `were on bun` means `we're on bun`. */
export function withApostrophes(text: string): string {
  return text
    .replaceAll('’', "'")
    .replace(/\b\p{L}+\b/gu, (word) => left[word.toLowerCase()] ?? word)
    .replace(
      /(^|[,;.!?]\s+|\b(?:so|and|but|ok|okay|btw|fyi)\s+)were (?=on\b|in\b|back\b|now\b|using\b|all\b|done\b|doing\b|going\b|moving\b|not\b)/giu,
      "$1we're ",
    )
    .replace(
      /(^|[,;.!?]\s+|\b(?:and|but|btw|fyi|because)\s+)its (?=now\b|not\b|no\b|all\b|[\p{L}\d]+(?:\s+\p{L}+)?(?:\s+(?:now|not|these)\b|\s*$|\s*[,.]))/giu,
      "$1it's ",
    )
}
