import { createReadStream, existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { observe } from '../../src/memory/observe.ts'
import { readRecording } from '../../src/recordings/index.ts'
import { freshMemory, type Measure, percent } from './measure.ts'

const corpus = path.join('..', 'shared', 'corpus')

/**
 * How many user turns of recorded sessions change the memory. Prints each change for a manual check; the share counts all
 * of them as wrong.
 */
export async function measureDeveloperMessages(
  show: (line: string) => void,
): Promise<readonly Measure[]> {
  if (!existsSync(corpus)) return []
  const files = (await readdir(corpus, { recursive: true }))
    .toSorted()
    .filter((file) => /\.jsonl?$/.test(file))
  const seen = new Set<string>()
  let changed = 0
  for (const file of files) {
    const { recordings } = await readRecording(createReadStream(path.join(corpus, file)))
    for (const recording of recordings) {
      const memory = freshMemory()
      for (const event of recording.events) {
        if (event.kind !== 'message' || event.message.role !== 'user') continue
        const text = event.message.items
          .flatMap((item) => (item.kind === 'text' ? [item.text] : []))
          .join('\n')
        if (text.trim() === '' || seen.has(text)) continue
        seen.add(text)
        const message = { id: String(seen.size), role: 'user', text } as const
        const { changes } = observe(memory, message, { project: 'bench', session: file })
        if (changes.length > 0) changed++
        for (const change of changes)
          show(
            `  ${change.op} ${change.key ?? change.kind}: ${change.value}  ← ${text.slice(0, 120)}`,
          )
      }
    }
  }
  return [
    {
      name: 'developer messages that change the memory, each counted as wrong',
      value: `${percent(changed, seen.size)} (${changed} of ${seen.size})`,
      goal: '≤ 0.5 %',
      reached: changed / Math.max(1, seen.size) <= 0.005,
    },
  ]
}
