/** Short names are everywhere; so many long ones say enough of a file. */
const longWord = /[A-Za-z_$][\w$]{4,}/g
const mostNames = 40
const declaration =
  /\b(?:function|func|fn|def|class|interface|type|struct|enum|trait|const|let|var|val|module|macro)[ \t]{1,9}[A-Za-z_$][\w$]{4,60}/g

/** How many of the names that a text declares came up again; it is counted on as the session goes on. */
export interface Recurrence {
  count: number
}

export interface RecurringNames {
  /** Follows the names that a text declares. */
  follow(text: string): Recurrence
  /** What was said or called: each name counts once for each text that declares it. */
  hear(text: string): void
}

export function createRecurringNames(): RecurringNames {
  const declaredBy = new Map<string, Recurrence[]>()
  return {
    follow(text) {
      const recurrence = { count: 0 }
      for (const name of declaredNames(text)) {
        const waiting = declaredBy.get(name)
        if (waiting === undefined) declaredBy.set(name, [recurrence])
        else waiting.push(recurrence)
      }
      return recurrence
    },
    hear(text) {
      if (declaredBy.size === 0) return
      for (const word of text.match(longWord) ?? []) {
        const waiting = declaredBy.get(word)
        if (waiting === undefined) continue
        declaredBy.delete(word)
        for (const each of waiting) each.count++
      }
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
