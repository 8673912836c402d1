/** Short names are too common to mean anything, and this many long ones are enough for a file. */
const longWord = /[A-Za-z_$][\w$]{4,}/g
export const mostNames = 40
const declaration =
  /\b(?:function|func|fn|def|class|interface|type|struct|enum|trait|const|let|var|val|module|macro)[ \t]{1,9}([A-Za-z_$][\w$]{4,60})/g

/** A text whose declared names are tracked. */
export interface TrackedNames {
  readonly text: string
  /** How many texts were added before it. */
  readonly textsBefore: number
  names: ReadonlySet<string> | null
}

/**
 * Counts how many declared names appear again later. Few texts are ever counted, so nothing is parsed before the first count.
 */
export interface RecurringNames {
  /** Starts to track the names that a text declares. */
  track(text: string): TrackedNames
  /** Adds the text of a later message or call. */
  addText(text: string): void
  /** How many of the names that the text declares appeared since; at most `mostNames`. */
  count(tracked: TrackedNames): number
}

export function createRecurringNames(): RecurringNames {
  /** For each word, the number of the last text that contains it. */
  const lastText = new Map<string, number>()
  let unread: string[] = []
  let textsRead = 0

  function read(): void {
    for (const text of unread) {
      textsRead++
      for (const word of text.match(longWord) ?? []) lastText.set(word, textsRead)
    }
    unread = []
  }

  return {
    track: (text) => ({ text, textsBefore: textsRead + unread.length, names: null }),
    addText(text) {
      unread.push(text)
    },
    count(tracked) {
      read()
      tracked.names ??= declaredNames(tracked.text)
      let count = 0
      for (const name of tracked.names) {
        if ((lastText.get(name) ?? 0) > tracked.textsBefore) count++
      }
      return count
    },
  }
}

function declaredNames(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [, name = ''] of text.matchAll(declaration)) {
    names.add(name)
    if (names.size === mostNames) break
  }
  return names
}
