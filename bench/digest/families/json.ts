import type { Marked, Program, Row, Sheet } from '../sheet.ts'
import { ip, noun, person, service, slug, timeAt, uuid } from '../words.ts'

type Fields = Record<string, unknown>

/** One way in which a record differs from the others. */
interface Oddity {
  /** The field that differs. */
  readonly field: string
  /** Undefined where the field is missing. */
  readonly value: unknown
}

const oddities = (sheet: Sheet): readonly Oddity[] => [
  { field: 'status', value: sheet.pick(['failed', 'suspended', 'stuck']) },
  { field: 'owner', value: null },
  { field: 'region', value: undefined },
  { field: 'retries', value: sheet.between(400, 9000) },
  { field: 'version', value: '0.9.0-rc1' },
]

function fieldsOf(sheet: Sheet, id: string): Fields {
  return {
    id,
    name: `${service(sheet)}-${slug(sheet)}`,
    status: 'active',
    region: sheet.pick(['eu-west-1', 'eu-central-1', 'us-east-1']),
    owner: person(sheet),
    retries: sheet.below(3),
    version: '2.4.1',
    updatedAt: `2026-03-14T${timeAt(sheet.below(9000))}Z`,
  }
}

const withOddity = (fields: Fields, { field, value }: Oddity): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([key, usual]): [string, unknown] => [key, key === field ? value : usual])
      .filter(([, kept]) => kept !== undefined),
  )

const factsOf = (id: string, { value }: Oddity): string[] =>
  value === undefined ? [id] : [id, String(value)]

/** The lines of a record, with its identifier and the odd field marked. */
function prettyRow(fields: Fields, id: string, oddity: Oddity | null): Row {
  const pretty = `${JSON.stringify(fields, null, 2)},`
  const lines = pretty.split('\n').map((line): string | Marked => {
    const text = `  ${line}`
    const isOdd = oddity !== null && line.startsWith(`  "${oddity.field}":`)
    if (oddity === null || !(isOdd || line.startsWith('  "id":'))) return text
    return { kind: 'exception', text, facts: factsOf(id, oddity) }
  })
  return { lines, name: id }
}

const curlPretty: Program = {
  program: 'curl pretty JSON',
  write(sheet) {
    const write = (oddity: Oddity | null): Row => {
      const id = uuid(sheet)
      const fields = fieldsOf(sheet, id)
      return prettyRow(oddity === null ? fields : withOddity(fields, oddity), id, oddity)
    }
    sheet.line('[')
    sheet.fill(
      () => write(null),
      sheet.some(oddities(sheet), sheet.between(1, 4)).map((oddity) => write(oddity)),
    )
    sheet.line(
      ...`${JSON.stringify(fieldsOf(sheet, uuid(sheet)), null, 2)}`
        .split('\n')
        .map((line) => `  ${line}`),
      ']',
    )
    return { command: `curl -s https://api.acme.io/v1/${noun(sheet)}s` }
  },
}

const curlOneLine: Program = {
  program: 'curl one-line JSON',
  write(sheet) {
    const records: Fields[] = []
    let chars = 0
    while (chars < sheet.targetChars) {
      const fields = fieldsOf(sheet, uuid(sheet))
      records.push(fields)
      chars += JSON.stringify(fields).length + 1
    }
    const oddity = oddities(sheet)[sheet.variant]!
    const at = sheet.below(records.length)
    const odd = records[at]!
    records[at] = withOddity(odd, oddity)
    const body = { items: records, page: 1, pages: 1, total: records.length }
    // All is on one line, so that only the facts say whether the record is kept.
    sheet.mark('exception', JSON.stringify(body), { facts: factsOf(String(odd.id), oddity) })
    return { command: `curl -s https://api.acme.io/v1/${noun(sheet)}s?limit=1000` }
  },
}

const jqLines: Program = {
  program: 'jq -c',
  write(sheet) {
    const write = (oddity: Oddity | null): Row => {
      const id = uuid(sheet)
      const fields = fieldsOf(sheet, id)
      if (oddity === null) return { lines: [JSON.stringify(fields)], name: id }
      const text = JSON.stringify(withOddity(fields, oddity))
      return { kind: 'exception', text, facts: factsOf(id, oddity) }
    }
    sheet.fill(
      () => write(null),
      sheet.some(oddities(sheet), sheet.between(1, 4)).map((oddity) => write(oddity)),
    )
    return { command: `jq -c '.items[]' ${noun(sheet)}s.json` }
  },
}

interface ContainerState {
  readonly status: string
  readonly exitCode: number
  readonly outOfMemory: boolean
  readonly restarts: number
}

const runningState: ContainerState = {
  status: 'running',
  exitCode: 0,
  outOfMemory: false,
  restarts: 0,
}

const dockerInspect: Program = {
  program: 'docker inspect',
  write(sheet) {
    const write = (state: ContainerState, end = ','): Row => {
      const name = `/${slug(sheet)}-${sheet.hex(3)}`
      const running = state.status === 'running'
      const usual = state === runningState
      const container = {
        Id: sheet.hex(64),
        Created: `2026-03-11T${timeAt(sheet.below(9000))}.${sheet.between(100_000_000, 999_999_999)}Z`,
        Path: 'docker-entrypoint.sh',
        Args: ['node', 'server.js'],
        State: {
          Status: state.status,
          Running: running,
          Paused: false,
          Restarting: state.status === 'restarting',
          OOMKilled: state.outOfMemory,
          Dead: state.status === 'dead',
          Pid: running ? sheet.between(1000, 90_000) : 0,
          ExitCode: state.exitCode,
          Error: '',
          StartedAt: `2026-03-11T${timeAt(sheet.below(9000))}.${sheet.between(100_000_000, 999_999_999)}Z`,
          FinishedAt: running ? '0001-01-01T00:00:00Z' : '2026-03-14T06:12:41.118203344Z',
        },
        Image: `sha256:${sheet.hex(64)}`,
        Name: name,
        RestartCount: state.restarts,
        Driver: 'overlay2',
        Platform: 'linux',
        Config: {
          Hostname: sheet.hex(12),
          Env: ['NODE_ENV=production', `SERVICE=${service(sheet)}`],
          Image: `registry.acme.io/${service(sheet)}:1.${sheet.between(4, 30)}.0`,
          WorkingDir: '/app',
        },
        NetworkSettings: { Networks: { backend: { Gateway: '10.0.0.1', IPAddress: ip(sheet) } } },
      }
      const told: Readonly<Record<string, string | false>> = {
        Name: !usual && state.status,
        Status: !running && state.status,
        OOMKilled: state.outOfMemory && 'true',
        ExitCode: state.exitCode !== 0 && String(state.exitCode),
        RestartCount: state.restarts > 0 && String(state.restarts),
      }
      const lines = `${JSON.stringify(container, null, 4)}${end}`.split('\n').map((line) => {
        const text = `    ${line}`
        const key = /^\s+"(\w+)":/.exec(line)?.[1] ?? ''
        const value = told[key]
        if (value === undefined || value === false) return text
        return {
          kind: 'exception' as const,
          text,
          facts: [name.slice(1), key === 'Name' ? value : key, value],
        }
      })
      return { lines, name: name.slice(1) }
    }
    const odd: readonly ContainerState[] = [
      { status: 'exited', exitCode: 137, outOfMemory: true, restarts: 0 },
      { status: 'exited', exitCode: 127, outOfMemory: false, restarts: 0 },
      { status: 'restarting', exitCode: 78, outOfMemory: false, restarts: sheet.between(20, 400) },
      { status: 'running', exitCode: 0, outOfMemory: false, restarts: sheet.between(20, 400) },
    ]
    sheet.line('[')
    sheet.fill(
      () => write(runningState),
      sheet.some(odd, sheet.between(1, 2)).map((state) => write(state)),
    )
    sheet.row(write(runningState, ''))
    sheet.line(']')
    return { command: 'docker inspect $(docker ps -aq)' }
  },
}

export const json: readonly Program[] = [curlPretty, curlOneLine, jqLines, dockerInspect]
