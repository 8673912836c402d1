import { useState } from 'preact/hooks'
import { apiPaths, type FileAt, type FileRow } from '../../../../src/dashboard/types.ts'
import { count, tokens } from '../../data/format.ts'
import { linkTo } from '../../data/route.ts'
import { visible } from '../../data/visible-text.ts'
import { LineDiff } from '../../parts/line-diff.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Read } from '../../parts/states.tsx'
import { visibleNames } from './files.tsx'

const shownWords: Readonly<Record<FileRow['events'][number]['shown'], string>> = {
  full: 'visible',
  part: 'visible in part',
  none: 'removed',
}

interface FileHistoryProps {
  readonly session: string
  readonly file: FileRow
  close(): void
}

/** One file: what happened to it, and the difference between any two of its states. */
export function FileHistory({ session, file, close }: FileHistoryProps) {
  const turns = [...new Set(file.events.map(({ turn }) => turn))]
  const [before, setBefore] = useState(turns[0] ?? 1)
  const [after, setAfter] = useState(turns.at(-1) ?? 1)
  return (
    <div class="file-columns">
      <section class="card">
        <div class="card-head">
          <h2>
            <bdi>{visible(file.name)}</bdi>
          </h2>
          <button type="button" class="button small" onClick={close}>
            All files
          </button>
        </div>
        <p class="muted">
          {count(file.reads, 'read')}, {count(file.changes, 'change')}, {tokens(file.visibleTokens)}{' '}
          of {tokens(file.tokens)} tokens in the context ·{' '}
          <span class={`badge ${file.visible}`}>{visibleNames[file.visible]}</span>
        </p>
        <Scroll label="What happened to the file">
          <table class="file-events">
            <thead>
              <tr>
                <th class="number">Turn</th>
                <th>What</th>
                <th class="number">Version</th>
                <th>Lines</th>
                <th>Now</th>
              </tr>
            </thead>
            <tbody>
              {file.events.map((event, index) => (
                <tr key={`${event.turn} ${index}`}>
                  <td class="number">
                    <a
                      href={linkTo(['sessions', session], {
                        at: event.turn,
                        ...(event.handle === null ? {} : { item: event.handle }),
                      })}
                    >
                      {event.turn}
                    </a>
                  </td>
                  <td>{event.kind}</td>
                  <td class="number">{event.version}</td>
                  <td>{linesText(event.lines, event.lineCount)}</td>
                  <td class={event.shown === 'none' ? 'muted' : undefined}>
                    {shownWords[event.shown]}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </section>
      <section class="card">
        <h2>Difference</h2>
        <div class="filters">
          <TurnSelect label="From turn" turns={turns} value={before} choose={setBefore} />
          <TurnSelect label="To turn" turns={turns} value={after} choose={setAfter} />
        </div>
        <Read<FileAt> path={apiPaths.file(session, file.path, before)}>
          {(older) => (
            <Read<FileAt> path={apiPaths.file(session, file.path, after)}>
              {(newer) => <States older={older} newer={newer} />}
            </Read>
          )}
        </Read>
      </section>
    </div>
  )
}

function States({ older, newer }: { readonly older: FileAt; readonly newer: FileAt }) {
  const isPartial = !older.isComplete || !newer.isComplete
  return (
    <>
      <p class="muted">
        Version {older.version} against version {newer.version}.
        {isPartial && ' Lines that the session never showed are marked as not known.'}
      </p>
      {older.turn === newer.turn ? (
        <Scroll label="Text" class="code original">
          <pre>{visible(textOf(newer))}</pre>
        </Scroll>
      ) : (
        <LineDiff before={textOf(older)} after={textOf(newer)} />
      )}
    </>
  )
}

function TurnSelect({
  label,
  turns,
  value,
  choose,
}: {
  readonly label: string
  readonly turns: readonly number[]
  readonly value: number
  choose(turn: number): void
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(Number(event.currentTarget.value))}>
        {turns.map((turn) => (
          <option key={turn} value={turn}>
            {turn}
          </option>
        ))}
      </select>
    </label>
  )
}

function textOf({ lines, exists }: FileAt): string {
  if (exists === false) return ''
  return lines.map((line) => line ?? '… lines not known …').join('\n')
}

function linesText(lines: readonly [number, number] | null, lineCount: number | null): string {
  if (lines !== null) return `${lines[0]}–${lines[1]}`
  return lineCount === null ? '–' : `all ${lineCount}`
}
