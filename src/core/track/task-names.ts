import { withoutTrailing } from '../words/text.ts'

/** The importance that a task gives to the files it names: 🔴, 🟡, 🟢, 🔵. */
export type ColourMark = 'critical' | 'important' | 'normal' | 'ephemeral'

const marks: ReadonlyMap<string, ColourMark> = new Map([
  ['🔴', 'critical'],
  ['🟡', 'important'],
  ['🟢', 'normal'],
  ['🔵', 'ephemeral'],
])

/** The files, folders and handles in a task's text. Paths are as written. */
export interface References {
  readonly paths: readonly string[]
  readonly handles: readonly string[]
}

/** The first colour mark in a text. */
export function colourMarkOf(text: string): ColourMark | null {
  for (const character of text) {
    const mark = marks.get(character)
    if (mark !== undefined) return mark
  }
  return null
}

/** The text without colour marks and with single spaces, so that a task is recognised when only its mark changes. */
export function plainText(text: string): string {
  return text
    .replaceAll(/[🔴🟡🟢🔵]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The paths and handles in a text. Words that merely look like one are included; they match nothing. */
export function referencesIn(text: string): References {
  const paths = new Set<string>()
  const handles = new Set<string>()
  for (const word of text.split(/[\s"'`“”‘’()[\]{}<>,;|=]+/u)) {
    const plain = withoutTrailing(word, '.:!?…')
    if (/^[0-9a-f]{6,}$/i.test(plain)) handles.add(plain.toLowerCase())
    const path = pathIn(plain)
    if (path !== null) paths.add(path)
  }
  return { paths: [...paths], handles: [...handles] }
}

/** True when one of the paths is the file, the end of its path, or a folder that contains it. */
export function namesPath({ paths }: References, path: string): boolean {
  const whole = `/${normalised(path)}/`
  return paths.some((named) => whole.includes(`/${named}/`))
}

/** Accepts `src/app.ts`, `app.ts:12`, `.env`, `src\app.ts` and `./src/`, but not URLs and plain words. */
function pathIn(word: string): string | null {
  if (word.includes('://')) return null
  const path = normalised(word.replace(/(?::\d+(?:[-:]\d+)?|#L?\d+.*)$/, ''))
  if (!/[\p{L}\p{N}]/u.test(path)) return null
  const isPath = /[/\\]/.test(word) || /(?:^|[^.])\.[\p{L}][\p{L}\p{N}_-]*$/u.test(path)
  return isPath ? path : null
}

function normalised(path: string): string {
  return withoutTrailing(path.replaceAll('\\', '/').replace(/^(?:\.{0,2}\/)+/, ''), '/')
}
