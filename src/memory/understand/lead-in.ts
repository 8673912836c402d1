/** Words with which people begin a sentence before they say something: `ok, so`, `btw`, `hey, just`. */
const words =
  "and|but|so|ok|okay|also|then|now|well|hey|hi|hello|please|pls|kindly|just|oh|hm+|yes|yeah|right|great|cool|alright|actually|btw|by the way|fyi|note|update|for what it's worth|fwiw|to be clear|for the record|just so you know|heads up"

/** A pattern of such words, and of more that a subject allows. */
export function leadInWith(more: string): string {
  return String.raw`(?:(?:${words}${more === '' ? '' : `|${more}`})[,:.\s]+)*`
}

export const leadIn: string = leadInWith('')
