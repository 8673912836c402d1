import fc from 'fast-check'
import type { Shape } from './growth.ts'

/** What stands at the end of a text decides whether a pattern fails, and how far it then goes back. */
const ends = ['\u0001', '']

/** A token over and over, with something behind it that makes a match fail late. */
export function repeated(tokens: readonly string[]): readonly Shape[] {
  return tokens.map((token) => ({
    name: `${token}…`,
    text: (length) => `${fill(token, length - 1)}\u0001`,
  }))
}

/** A beginning, one or two tokens over and over, and an end, drawn from the tokens of one language. */
export function mixed(tokens: readonly string[], count: number): readonly Shape[] {
  const token = fc.constantFrom(...tokens)
  const drawn = fc.record({
    begin: fc.oneof(fc.constant(''), token),
    pump: fc.array(token, { minLength: 2, maxLength: 3 }),
    end: fc.oneof(fc.constantFrom(...ends), token),
  })
  return fc.sample(drawn, { numRuns: count, seed: 7 }).map(({ begin, pump, end }) => ({
    name: `${begin}|${pump.join('')}…|${end}`,
    text: (length) => begin + fill(pump.join(''), length - begin.length - end.length) + end,
  }))
}

function fill(token: string, length: number): string {
  return token.repeat(Math.ceil(length / token.length)).slice(0, length)
}

/** What every reader may meet. */
export const plainTokens: readonly string[] = [
  ...[
    'a',
    'A',
    '0',
    ' ',
    '\t',
    '\n',
    '\r',
    '\r\n',
    ' \n',
    '\n ',
    'a\n',
    'a ',
    '.',
    '..',
    ',',
    ', ',
  ],
  ...[
    '/',
    '\\',
    '"',
    "'",
    '`',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '=',
    ':',
    ';',
    '-',
    '_',
    '|',
  ],
  ...['@', '#', '*', '+', '!', '?', '$', '%', '&', '~', 'é', '漢', '😀', '\u0000', '\u001b[', '…'],
]

export const shellTokens: readonly string[] = [
  ...[
    '$(',
    '<<X ',
    "<<'X' ",
    '<<X\n',
    '<<-',
    '`',
    '${',
    '${a',
    '((',
    '$((',
    '{a,',
    '../',
    './',
    '&&',
  ],
  ...[
    '||',
    ' | ',
    '; ',
    ' git ',
    '\n git ',
    'a=b ',
    '> a ',
    '>> a',
    '< a',
    'if a; then ',
    'case a in ',
  ],
  ...['for a in ', 'while ', 'function a { ', 'cd a; ', 'cat a; ', "sed -i 's/a/b/' a; ", '\\\n'],
  ...['cd ../; ', '<(', '$[', '# ', 'a() ', 'eval ', 'sudo ', 'diff ', 'echo a > b; '],
]

export const pathTokens: readonly string[] = [
  ...[
    '/',
    '../',
    './',
    '/..',
    '\\',
    '..\\',
    'C:\\',
    'file://',
    '//',
    '~/',
    'a/',
    'a\\',
    '%2F',
    '%',
  ],
]

export const urlTokens: readonly string[] = [
  ...[
    'http://',
    'https://a.b/',
    '/',
    '//',
    '?',
    '&',
    'a=b&',
    '#',
    '@',
    ':',
    '%',
    '%20',
    '../',
    '\\',
  ],
]

export const patchTokens: readonly string[] = [
  ...['*** Begin Patch\n', '*** Update File: a\n', '*** Add File: a\n', '*** Delete File: a\n'],
  ...[
    '*** End Patch\n',
    '*** Move to: b\n',
    '@@\n',
    '@@ a\n',
    '@@ -1 +1 @@\n',
    '@@ -1,9 +1,9 @@ a\n',
  ],
  ...['diff --git a/a b/a\n', '--- a/a\n', '+++ b/a\n', '+a\n', '-a\n', ' a\n', '\\ No newline\n'],
]

export const resultTokens: readonly string[] = [
  ...[
    '<system-reminder>',
    '</system-reminder>',
    '<system-reminder>\n',
    '<file>',
    '</file>',
    '<path>',
  ],
  ...[
    '<content>',
    '</content>',
    '<entries>',
    '</entries>',
    '     1\ta\n',
    '     1→a\n',
    '1: a\n',
    '1|a\n',
  ],
  ...[
    '00001| a\n',
    'L1: a\n',
    'a.ts:1:a\n',
    'a.ts:1:1: error a\n',
    'a-1-a\n',
    '--\n',
    '... [',
    ' format ',
  ],
  ...[
    '(End of file - total 1 lines)',
    '<returncode>0</returncode>',
    '<output>',
    'Exit code: 1\n',
    '━━━',
  ],
  ...[
    'Error: a\n',
    'FAILED ',
    ' > ',
    "' ",
    'at a (a:1:1)\n',
    '1 passed, ',
    '✖ ',
    '│ ',
    '├── a\n',
    '=== ',
  ],
  ...[
    'diff --git a/a b/a\n',
    '@@ -1 +1 @@\n',
    'commit 0123456\n',
    '<p>',
    '<script>',
    '<!--',
    '&amp;',
  ],
  ...[
    '{"a":',
    '[1,',
    '"a",',
    '{"a":1}\n',
    '| a | b |\n',
    'a  b\n',
    '10% ',
    '\u001b[31m',
    '12:00:00 INFO a\n',
  ],
  ...[
    '[context_restore a1b2c3]',
    'Open file: ',
    '```\n',
    '```js\n',
    '<diagnostics>',
    'total 1\n',
    'A_a ',
    'aA',
  ],
]

export const jsonTokens: readonly string[] = [
  ...[
    '{"a":',
    '[',
    '[[',
    '{',
    '"',
    '\\"',
    '"\\',
    '\\u00',
    '{"a":1,',
    '1',
    '-',
    '1e',
    'null,',
    '/*',
    '//',
  ],
  ...[
    '{"type":"',
    '"messages":[',
    '},{',
    ']}',
    '{}\n',
    '[]\n',
    'data: ',
    'data: {"usage":',
    '\n\n',
  ],
]

export const sentenceTokens: readonly string[] = [
  ...[
    'no, ',
    'actually ',
    'I use a ',
    'we use a. ',
    'my name is ',
    'from now on ',
    'since ',
    'until ',
    'as of ',
  ],
  ...[
    'since 2020 ',
    'we switched in ',
    'and ',
    'but, ',
    'not ',
    'instead of ',
    'as a, ',
    'as ',
    'is ',
    'are ',
  ],
  ...[
    'a, ',
    ', not ',
    '“',
    '- a\n',
    '> a\n',
    '1. a\n',
    'ok, ',
    'so ',
    'please ',
    'always use ',
    'decided on ',
  ],
  ...[
    'wait, ',
    'sorry, ',
    'A. ',
    'a? ',
    'a@',
    '$1 ',
    'last week ',
    'on Monday ',
    'I prefer ',
    'remember that ',
  ],
]
