import { createReadStream, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe } from 'vitest'
import { type Recording, readRecording } from '../../src/recordings/index.ts'

/** Recorded sessions of outsiders; where the folder is absent, suites over it are skipped and say so. */
export const corpusFolder: string = path.resolve(import.meta.dirname, '../../../shared/corpus')
const present = existsSync(path.join(corpusFolder, 'MANIFEST.tsv'))

export function describeCorpus(name: string, suite: () => void): void {
  describe.skipIf(!present)(`${name} [needs ../shared/corpus]`, suite)
}

/** The manifest's rows, each a map from column to cell; empty when the corpus is absent. */
export function manifestRows(): readonly Readonly<Record<string, string>>[] {
  if (!present) return []
  const [heading = '', ...lines] = readFileSync(path.join(corpusFolder, 'MANIFEST.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
  const columns = heading.split('\t')
  return lines.map((line) => {
    const cells = line.split('\t')
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))
  })
}

export interface CorpusRecording {
  /** As the manifest names it. */
  readonly file: string
  readonly recording: Recording
}

/** All sessions of all files of the manifest. */
export async function corpusRecordings(): Promise<readonly CorpusRecording[]> {
  const all: CorpusRecording[] = []
  for (const { path: file = '' } of manifestRows()) {
    const { recordings } = await readRecording(createReadStream(path.join(corpusFolder, file)))
    for (const recording of recordings) all.push({ file, recording })
  }
  return all
}
