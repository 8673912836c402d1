import type { Anatomy } from '../replay/anatomy.ts'
import { alreadyPrunedLines } from './already-pruned.ts'
import { duration, fittedTable, plural, short, table } from './figures.ts'
import type { InspectedFile } from './inspect-command.ts'
import type { Terminal } from './terminal.ts'
import { wrapped } from './wrapped.ts'

const toolsShown = 12

/** The anatomy of one file, for people. */
export function anatomyLines(file: InspectedFile, { colors, columns }: Terminal): string[] {
  const lines = [
    `${colors.bold(file.file)}  ${colors.dim(`${file.format}, ${plural(file.sessions.length, 'session')}`)}`,
  ]
  const notes = alreadyPrunedLines(file.alreadyPruned ?? [])
  lines.push(...notes.flatMap((note) => wrapped(note, columns)))
  for (const session of file.sessions)
    lines.push('', ...sessionLines(session, colors.bold, columns))
  return lines
}

function sessionLines(
  anatomy: Anatomy,
  heading: (text: string) => string,
  columns: number,
): string[] {
  const { tokens } = anatomy
  const share = (part: number): string =>
    `${((100 * part) / Math.max(1, tokens.total)).toFixed(1)} %`
  const kinds = Object.entries(tokens.byKind).filter(([, size]) => size > 0)
  const tools = Object.entries(tokens.byTool)
  return [
    heading(`session ${anatomy.session ?? '(no id)'}  ${anatomy.model ?? ''}`.trimEnd()),
    ...[
      `  ${plural(anatomy.messages, 'message')}, ${plural(anatomy.requests, 'request')}, ${plural(anatomy.calls, 'tool call')}: ` +
        `${plural(anatomy.reads, 'read')}, ${plural(anatomy.writes, 'write')}, ${plural(anatomy.edits, 'edit')}, ` +
        `${anatomy.shell} shell, ${anatomy.search} search, ${anatomy.other} other`,
      `  ${plural(anatomy.errors, 'error')}, ${plural(anatomy.missing, 'missing result')}, ` +
        `${plural(anatomy.compactions, 'compaction')}, ${anatomy.nativePruned} cleared by the agent, ${plural(anatomy.attachments, 'attachment')}` +
        (anatomy.subagentRecords > 0
          ? `, ${plural(anatomy.subagentRecords, 'sub-agent record')}`
          : ''),
      `  ${short(tokens.total)} tokens recorded, ${short(tokens.sent)} sent, ${short(tokens.peak)} in the largest request`,
    ].flatMap((line) => wrapped(line, columns)),
    '',
    ...table([
      ['tokens by kind', '', ''],
      ...kinds.map(([kind, size]) => [`  ${kind}`, short(size), share(size)]),
    ]),
    '',
    ...table([
      ['tokens by tool', 'calls', 'input', 'output', ''],
      ...tools
        .slice(0, toolsShown)
        .map(([tool, size]) => [
          `  ${tool || '(unnamed)'}`,
          String(size.calls),
          short(size.inputTokens),
          short(size.outputTokens),
          share(size.inputTokens + size.outputTokens),
        ]),
    ]),
    ...(tools.length > toolsShown ? [`    and ${tools.length - toolsShown} more`] : []),
    '',
    ...table([
      ['', 'count', 'tokens', ''],
      ...(
        [
          ['files read again', anatomy.rereads],
          ['reads of files edited later', anatomy.readsLaterEdited],
          ['same call again', anatomy.repeatedCalls],
        ] as const
      ).map(([name, { count, tokens: size }]) => [name, String(count), short(size), share(size)]),
    ]),
    ...(anatomy.idle.over5m > 0
      ? [
          `  idle longer than 5 minutes ${plural(anatomy.idle.over5m, 'time')}, than an hour ${plural(anatomy.idle.over1h, 'time')}; longest ${duration(anatomy.idle.longestMs)}`,
        ]
      : []),
  ]
}

/** A table with a line for each file, for people. */
export function anatomyTable(
  files: readonly InspectedFile[],
  { columns }: Pick<Terminal, 'columns'>,
): string[] {
  const rows = files.map((file) => [
    file.file,
    file.format,
    String(file.requests),
    String(file.calls),
    short(file.tokens.total),
    short(file.tokens.sent),
    String(file.rereads.count),
    String(file.readsLaterEdited.count),
    String(file.repeatedCalls.count),
    String(file.compactions),
  ])
  const heading = [
    'file',
    'format',
    'requests',
    'calls',
    'tokens',
    'sent',
    're-reads',
    'later edited',
    'repeated',
    'compactions',
  ]
  const pruned = files.filter(({ alreadyPruned }) => alreadyPruned !== undefined)
  const note = `already pruned while they ran, so less was sent: ${pruned.map(({ file }) => file).join(', ')}`
  return [
    ...fittedTable([heading, ...rows], columns, ''),
    ...(pruned.length === 0 ? [] : ['', ...wrapped(note, columns)]),
  ]
}
