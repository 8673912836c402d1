import type { Rendition, TracedItem, TracedRequest, TracedSession } from './session.ts'

type Row = Readonly<Record<string, unknown>>

const kinds: ReadonlySet<unknown> = new Set([
  'text',
  'reasoning',
  'call',
  'result',
  'attachment',
  'marker',
])
const hows: ReadonlySet<unknown> = new Set([
  'full',
  'pointer',
  'truncated',
  'superseded',
  'stripped',
  'distilled',
  'discarded',
  'masked',
  'view',
])

/** Reads the lines of a replay trace. Never throws: errors are added to the session's `faults`. */
export function readTrace(lines: Iterable<string>): readonly TracedSession[] {
  const sessions: TracedSession[] = []
  let open: OpenSession | null = null
  for (const line of lines) {
    if (line.trim() === '') continue
    const row = parseRow(line)
    if (row?.type === 'session') {
      if (open !== null) sessions.push(open.close('a session before the end of the one before'))
      open = openSession(row)
      continue
    }
    open ??= openSession({}, 'no session line first')
    open.take(row)
    if (row?.type === 'end') {
      sessions.push(open.close(null))
      open = null
    }
  }
  if (open !== null) sessions.push(open.close('no end line'))
  return sessions
}

interface OpenSession {
  take(row: Row | null): void
  close(fault: string | null): TracedSession
}

function openSession(head: Row, firstFault?: string): OpenSession {
  const items: TracedItem[] = []
  const renditions = new Map<number, Rendition>()
  const calls = new Set<string>()
  const requests: TracedRequest[] = []
  const faults: string[] = firstFault === undefined ? [] : [firstFault]

  function takeItem(row: Row): void {
    if (row.i !== items.length) faults.push(`item ${String(row.i)}, expected ${items.length}`)
    const item = itemOf(row, items.length)
    if (item === null) {
      faults.push(`item ${items.length} wants kind, role, message and text`)
      items.push({ ...noItem, i: items.length })
      return
    }
    if (item.kind === 'call' && item.call !== null) calls.add(item.call)
    if (item.kind === 'result' && !calls.has(item.call ?? ''))
      faults.push(`item ${item.i} is the result of an unknown call`)
    items.push(item)
  }

  function takeRendition(row: Row): void {
    const item = typeof row.i === 'number' ? items[row.i] : undefined
    if (typeof row.r !== 'number' || renditions.has(row.r) || item === undefined) {
      faults.push(`rendition ${String(row.r)} of item ${String(row.i)} is unusable`)
      return
    }
    const { r, how } = row
    const text = typeof row.text === 'string' ? row.text : null
    const handle = typeof row.handle === 'string' && row.handle !== '' ? row.handle : null
    if (!hows.has(how)) faults.push(`rendition ${r}: how ${String(how)}`)
    if (how === 'full' ? text !== null : text === null || text === '')
      faults.push(`rendition ${r}: full has no text, every other way has some`)
    if (how !== 'full' && how !== 'view' && (text ?? '').length > item.text.length)
      faults.push(`rendition ${r} is longer than item ${item.i}, which it replaces`)
    if (how !== 'full' && how !== 'masked' && handle === null)
      faults.push(`rendition ${r} leaves something out without a handle`)
    renditions.set(r, {
      r,
      item,
      how: how as Rendition['how'],
      text: how === 'full' ? item.text : (text ?? ''),
      ...(typeof row.note === 'string' ? { note: row.note } : {}),
      handle,
    })
  }

  function takeRequest(row: Row): void {
    if (row.n !== requests.length + 1)
      faults.push(`request ${String(row.n)}, expected ${requests.length + 1}`)
    const view: Rendition[] = []
    for (const r of Array.isArray(row.view) ? row.view : []) {
      const rendition = renditions.get(r)
      if (rendition === undefined) faults.push(`request ${String(row.n)} shows ${String(r)}`)
      else view.push(rendition)
    }
    const at = typeof row.at === 'string' ? Date.parse(row.at) : Number.NaN
    requests.push({
      n: requests.length + 1,
      at: Number.isNaN(at) ? null : at,
      view,
      known: items.length,
    })
  }

  return {
    take(row) {
      switch (row?.type) {
        case 'item':
          takeItem(row)
          break
        case 'rendition':
          takeRendition(row)
          break
        case 'request':
          takeRequest(row)
          break
        case 'end':
          if (row.requests !== requests.length || row.items !== items.length)
            faults.push('the end line does not count right')
          break
        default:
          faults.push('a line that is not a row of a trace')
      }
    },
    close(fault) {
      if (fault !== null) faults.push(fault)
      const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
      return {
        file: text(head.file) ?? '',
        format: text(head.format) ?? 'unknown',
        model: text(head.model),
        policy: text(head.policy) ?? 'unknown',
        items,
        requests,
        faults,
      }
    },
  }
}

const noItem: Omit<TracedItem, 'i'> = {
  message: 0,
  role: 'unknown',
  kind: 'marker',
  tool: null,
  call: null,
  status: null,
  text: '',
}

function itemOf(row: Row, i: number): TracedItem | null {
  const { message, role, kind, text } = row
  if (!kinds.has(kind) || typeof text !== 'string') return null
  if (typeof message !== 'number' || typeof role !== 'string') return null
  const optional = (key: string): string | null =>
    typeof row[key] === 'string' ? (row[key] as string) : null
  return {
    i,
    message,
    role,
    kind: kind as TracedItem['kind'],
    tool: optional('tool'),
    call: optional('call'),
    status: optional('status'),
    text,
  }
}

function parseRow(line: string): Row | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Row) : null
  } catch {
    return null
  }
}
