import type { Operation } from '../../words/operation.ts'
import { fileNamesIn, isDocument, isTest, nameOf } from './file-kinds.ts'

/** The counters of a file. They only grow. */
export interface FileCounts {
  edits: number
  reads: number
  lastTurn: number
  readonly isTest: boolean
  readonly isDocument: boolean
  readonly said: SaidCounts
  readonly folder: FolderCounts
}

/** How often the files of a folder were changed. */
interface FolderCounts {
  edits: number
}

/** How often a file was named. */
interface SaidCounts {
  byUser: number
  byAgent: number
}

/** Counts how often the files of a session were read, changed and named. */
export class FileCounters {
  /** Changes of any file. */
  edits = 0
  readonly #files = new Map<string, FileCounts>()
  readonly #folders = new Map<string, FolderCounts>()
  readonly #said = new Map<string, SaidCounts>()

  of(path: string): FileCounts {
    const counts = this.#files.get(path) ?? {
      edits: 0,
      reads: 0,
      lastTurn: 0,
      isTest: isTest(path),
      isDocument: isDocument(path),
      said: this.#saidOf(nameOf(path)),
      folder: this.#folderOf(path),
    }
    this.#files.set(path, counts)
    return counts
  }

  /** Counts what an operation reads and changes; `turn` is the request that first sends its result. */
  observe({ status, effects }: Operation, turn: number): void {
    const changed = status === 'ok' ? effects.changes.map(({ path }) => path) : []
    for (const path of changed) {
      this.edits++
      const file = this.of(path)
      file.edits++
      file.folder.edits++
      file.lastTurn = turn
    }
    for (const path of effects.named) {
      if (changed.includes(path)) continue
      const file = this.of(path)
      file.reads++
      file.lastTurn = turn
    }
  }

  /** Counts the files that the agent or the user names in a text. */
  observeText(text: string, { isAgent }: { readonly isAgent: boolean }): void {
    for (const name of fileNamesIn(text)) {
      if (isAgent) this.#saidOf(name).byAgent++
      else this.#saidOf(name).byUser++
    }
  }

  #saidOf(name: string): SaidCounts {
    const counts = this.#said.get(name) ?? { byUser: 0, byAgent: 0 }
    this.#said.set(name, counts)
    return counts
  }

  #folderOf(path: string): FolderCounts {
    const name = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const counts = this.#folders.get(name) ?? { edits: 0 }
    this.#folders.set(name, counts)
    return counts
  }
}
