import { identifiersIn } from '../files/text/identifiers.ts'
import type { Message } from '../words/item.ts'

/** The identifiers and paths that the conversation itself has named: what was said and called, not what tools printed. */
export interface NameTracker {
  hear(message: Message): void
  has(name: string): boolean
}

export function createNameTracker(): NameTracker {
  const names = new Set<string>()
  // Nobody asks in a session without large outputs, so that nothing is read before somebody does.
  let unread: Message[] = []

  function read(): void {
    for (const { items } of unread) {
      for (const item of items) {
        if (item.kind === 'result' || item.kind === 'attachment' || item.kind === 'marker') continue
        for (const name of identifiersIn(item.text)) {
          names.add(name)
          const slash = name.lastIndexOf('/')
          if (slash >= 0) names.add(name.slice(slash + 1))
        }
      }
    }
    unread = []
  }

  return {
    hear(message) {
      if (message.role !== 'tool') unread.push(message)
    },
    has(name) {
      if (unread.length > 0) read()
      return names.has(name)
    },
  }
}
