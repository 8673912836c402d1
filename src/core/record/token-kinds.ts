/**
 * What a UTF-16 code unit is to the splitting rule of o200k: enough of Unicode's categories to find where words begin
 * and end. A table of our own, so that a size does not depend on the Unicode version of the runtime.
 */

export const SYMBOL = 0
export const SLASH = 1
export const UPPER = 2
export const LOWER = 3
/** Letters without case, and marks: they go on with a word of either case. */
export const LETTER = 4
export const DIGIT = 5
export const NEWLINE = 6
/** U+0020, and every other blank. */
export const SPACE = 7
export const TAB = 8
/** U+0000, which also stands for what comes after the last unit. */
export const END = 9
export const APOSTROPHE = 10

/** First and last unit of each stretch, in hex; what is in none of them is a symbol. Later lines win. */
const STRETCHES: readonly (readonly [kind: number, stretches: string])[] = [
  [TAB, '9-1f a0 1680 2000-200a 2028-2029 202f 205f 3000 feff'],
  [END, '0'],
  [SYMBOL, 'e-1f'],
  [NEWLINE, 'a d'],
  [SPACE, '20'],
  [SLASH, '2f'],
  [APOSTROPHE, '27'],
  [DIGIT, '30-39 b2-b3 b9 bc-be 660-669 6f0-6f9 7c0-7c9 e50-e59 ed0-ed9 f20-f33 1040-1049'],
  [UPPER, '41-5a c0-d6 d8-de 386-38f 391-3ab 400-42f 531-556 10a0-10c5 13a0-13f5 2c00-2c2f'],
  [LOWER, '61-7a b5 df-f6 f8-ff 250-2af 390 3ac-3ce 430-45f 560-588 10d0-10ff 1c80-1c88 1d00-1dbf'],
  [LOWER, '1f00-1f07 1f10-1f15 1f20-1f27 1f30-1f37 1f40-1f45 1f50-1f57 1f60-1f67 1f70-1fb7'],
  [LOWER, '1fc2-1fc7 1fd0-1fd7 1fe0-1fe7 1ff2-1ff7 2c30-2c5f 2d00-2d2d ab30-abbf fb00-fb17'],
  [UPPER, '1f08-1f0f 1f18-1f1d 1f28-1f2f 1f38-1f3f 1f48-1f4d 1f59-1f5f 1f68-1f6f 1fb8-1fbc'],
  [LETTER, 'aa ba 1bb 1c0-1c3 294 2b0-2c1 2c6-2d1 2e0-2e4 300-374 37a 483-489 559 591-5bd 5bf'],
  [LETTER, '5c1-5c7 5d0-5f2 610-61a 620-65f 66e-6d3 6d5-6dc 6df-6e8 6ea-6ef 6fa-6ff 710-7b1'],
  [LETTER, '7ca-7f5 800-82d 840-85b 860-887 8a0-8e1 8e3-963 971-9e5 9f0-9f1 a01-a65 a70-a75'],
  [LETTER, 'a81-ae5 af9-aff b01-b65 b71 b82-be5 c00-c65 c80-ce5 cf1-cf3 d00-d65 d7a-d7f d81-df3'],
  [LETTER, 'e01-e3a e40-e4e e81-ecf edc-edf f00 f18-f19 f35 f37 f39 f3e-f84 f86-fbc 1000-103f'],
  [LETTER, '1050-109d 1100-135f 1380-138f 1401-166c 166f-167f 1681-169a 16a0-16ea 1700-1734'],
  [LETTER, '1740-17d3 17d7 17dc-17dd 180b-180f 1820-18aa 18b0-1938 1950-19c9 1a00-1a1b 1a20-1a7c'],
  [LETTER, '1ab0-1b4c 1b6b-1b73 1b80-1baf 1bba-1bf3 1c00-1c37 1c4d-1c4f 1c5a-1c7d 1cd0-1cfa'],
  [LETTER, '1dc0-1dff 2071 207f 2090-209c 20d0-20f0 2d30-2de0 2de0-2dff 3005-3006 302a-302f'],
  [LETTER, '3031-3035 303b-303c 3041-3096 3099-309a 309d-309f 30a1-30fa 30fc-30ff 3105-312f'],
  [LETTER, '3131-318e 31a0-31bf 31f0-31ff 3400-4dbf 4e00-a48c a4d0-a4fd a500-a60c a610-a61f'],
  [LETTER, 'a62a-a62b a66e-a672 a674-a67d a69c-a6e5 a6f0-a6f1 a717-a71f a7f7-a827 a840-a873'],
  [LETTER, 'a880-a8c5 a8e0-a8f7 a90a-a92d a930-a953 a960-a97c a980-a9c0 a9e0-aa4d aa60-aadd'],
  [LETTER, 'aae0-aaef aaf2-ab2e abc0-abed ac00-d7a3 d7b0-d7fb f900-fad9 fb1d-fd3d fd50-fdfb'],
  [LETTER, 'fe00-fe0f fe20-fe2f fe70-fefc ff66-ffdc'],
  [SYMBOL, '70f b70 bf0-bff c77-c7f d4f d58-d5e d70-d79 e3f 10fb 2ff0-2fff fb29 fd3e-fd4f'],
  [DIGIT, '966-96f 9e6-9ef a66-a6f ae6-aef b66-b6f be6-bf2 c66-c6f ce6-cef d66-d78 de6-def'],
  [DIGIT, '1090-1099 17e0-17e9 1810-1819 19d0-19da 2070 2074-2079 2080-2089 2150-2189 2460-249b'],
  [DIGIT, '24ea-24ff 2776-2793 3007 3021-3029 3192-3195 3220-3229 3248-324f 3251-325f 3280-3289'],
  [DIGIT, '32b1-32bf ff10-ff19'],
  [UPPER, 'ff21-ff3a'],
  [LOWER, 'ff41-ff5a'],
]

/** Stretches where upper and lower case alternate; the first unit is upper case. */
const ALTERNATING =
  '100-137 139-148 14a-177 179-17e 182-185 1a0-1a5 1cd-1dc 1de-1ef 1f8-233 246-24f'
const MORE_ALTERNATING =
  '370-373 3d8-3ef 460-481 48a-4bf 4c1-4ce 4d0-52f 1e00-1e95 1ea0-1eff 2c60-2ce3'
const LAST_ALTERNATING = 'a640-a66d a680-a69b a722-a787'

function eachStretch(stretches: string, visit: (first: number, last: number) => void): void {
  for (const stretch of stretches.split(' ')) {
    const [first, last] = stretch.split('-')
    const start = Number.parseInt(first ?? '', 16)
    visit(start, last === undefined ? start : Number.parseInt(last, 16))
  }
}

function buildKinds(): Uint8Array {
  const kinds = new Uint8Array(0x10000)
  for (const [kind, stretches] of STRETCHES)
    eachStretch(stretches, (first, last) => kinds.fill(kind, first, last + 1))
  for (const stretches of [ALTERNATING, MORE_ALTERNATING, LAST_ALTERNATING])
    eachStretch(stretches, (first, last) => {
      for (let unit = first; unit <= last; unit++)
        kinds[unit] = (unit - first) % 2 === 0 ? UPPER : LOWER
    })
  return kinds
}

/** The kind of every UTF-16 code unit. Surrogates are symbols, as emoji are. */
export const KINDS: Uint8Array = buildKinds()
