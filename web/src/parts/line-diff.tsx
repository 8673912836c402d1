import { diffLines } from 'diff'
import { useMemo } from 'preact/hooks'
import { visible } from '../data/visible-text.ts'
import { Scroll } from './scroll.tsx'

interface Line {
  readonly sign: ' ' | '+' | '-' | '…'
  readonly text: string
}

/** Unchanged lines shown around a change. */
const context = 3
const mostLines = 4000

/** Two texts, line by line. Long unchanged stretches are left out. */
export function LineDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = useMemo(() => compare(before, after), [before, after])
  if (lines === null) return <p class="muted">The two are too different to compare line by line.</p>
  if (lines.length === 0) return <p class="muted">Both are the same.</p>
  return (
    <Scroll label="Differences" class="diff">
      <pre>
        {lines.slice(0, mostLines).map((line, index) => (
          <span key={index} class={classOf(line.sign)}>
            {line.sign} {visible(line.text)}
            {'\n'}
          </span>
        ))}
      </pre>
      {lines.length > mostLines && (
        <p class="muted">… and {lines.length - mostLines} more lines.</p>
      )}
    </Scroll>
  )
}

function compare(before: string, after: string): readonly Line[] | null {
  if (before === after) return []
  const changes = diffLines(before, after, { timeout: 400 })
  if (changes === undefined) return null
  const lines: Line[] = []
  changes.forEach((change, index) => {
    const texts = change.value.replace(/\n$/, '').split('\n')
    if (change.added || change.removed) {
      for (const text of texts) lines.push({ sign: change.added ? '+' : '-', text })
      return
    }
    const head = index === 0 ? 0 : context
    const tail = index === changes.length - 1 ? 0 : context
    if (texts.length <= head + tail + 1) {
      for (const text of texts) lines.push({ sign: ' ', text })
      return
    }
    for (const text of texts.slice(0, head)) lines.push({ sign: ' ', text })
    lines.push({ sign: '…', text: `${texts.length - head - tail} unchanged lines` })
    for (const text of tail === 0 ? [] : texts.slice(-tail)) lines.push({ sign: ' ', text })
  })
  return lines
}

function classOf(sign: Line['sign']): string {
  return { ' ': 'same', '+': 'added', '-': 'gone', '…': 'skip' }[sign]
}
