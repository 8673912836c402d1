/** Short names are everywhere; so many long ones say enough of a file. */
const longWord = /[A-Za-z_$][\w$]{4,}/g
export const mostNames = 40
const declaration =
  /\b(?:function|func|fn|def|class|interface|type|struct|enum|trait|const|let|var|val|module|macro)[ \t]{1,9}[A-Za-z_$][\w$]{4,60}/g

/** A text whose declared names are followed. */
export interface FollowedNames {
  readonly text: string
  /** How many texts had been heard when it came. */
  readonly heardBefore: number
  names: ReadonlySet<string> | null
}

/**
 * Which of the names that texts declare came up again. Few texts are ever asked about, so that nothing is read before one
 * is: neither for what it declares, nor what was said for the words in it.
 */
export interface RecurringNames {
  /** Follows the names that a text declares. */
  follow(text: string): FollowedNames
  /** What was said or called. */
  hear(text: string): void
  /** How many of the names that the text declares came up since it came; at most `mostNames`. */
  count(followed: FollowedNames): number
}

export function createRecurringNames(): RecurringNames {
  /** By word, the number of the last text in which it stood. */
  const lastHeard = new Map<string, number>()
  let unread: string[] = []
  let textsRead = 0

  function read(): void {
    for (const text of unread) {
      textsRead++
      for (const word of text.match(longWord) ?? []) lastHeard.set(word, textsRead)
    }
    unread = []
  }

  return {
    follow: (text) => ({ text, heardBefore: textsRead + unread.length, names: null }),
    hear(text) {
      unread.push(text)
    },
    count(followed) {
      read()
      followed.names ??= declaredNames(followed.text)
      let count = 0
      for (const name of followed.names) {
        if ((lastHeard.get(name) ?? 0) > followed.heardBefore) count++
      }
      return count
    },
  }
}

function declaredNames(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  declaration.lastIndex = 0
  while (declaration.test(text) && names.size < mostNames) {
    const end = declaration.lastIndex
    let start = end
    while (!isBlank(text.charCodeAt(start - 1))) start--
    names.add(text.slice(start, end))
  }
  return names
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}
