import type { Marked, Program, Row } from '../sheet.ts'
import {
  functionName,
  noun,
  person,
  sentence,
  service,
  slug,
  sourceFile,
  timeAt,
} from '../words.ts'

/** The lines of a JSON value, with the lines marked that hold one of the words. */
function jsonLines(
  value: unknown,
  indent: string,
  marks: readonly string[],
  kind: Marked['kind'] = 'exception',
): readonly (string | Marked)[] {
  return `${JSON.stringify(value, null, 2)},`.split('\n').map((line) => {
    const text = indent + line
    return marks.some((mark) => line.includes(mark)) ? { kind, text } : text
  })
}

const har: Program = {
  program: 'HAR',
  write(sheet) {
    const entry = (position: number, status: number, time: number): Row => {
      const url = `https://shop.example.com/assets/${noun(sheet)}-${sheet.hex(6)}.js`
      const value = {
        startedDateTime: `2026-06-01T${timeAt(position)}.000Z`,
        time,
        request: { method: 'GET', url, httpVersion: 'HTTP/2', headersSize: -1 },
        response: {
          status,
          statusText: '',
          content: { size: sheet.between(1000, 90_000), mimeType: 'text/javascript' },
        },
      }
      const marks =
        status === 200 && time < 1000
          ? []
          : [url, status === 200 ? `"time": ${time}` : `"status": ${status}`]
      return { lines: jsonLines(value, '      ', marks), name: url }
    }
    sheet.line('{', '  "log": {', '    "version": "1.2",', '    "entries": [')
    sheet.fill(
      (position) => entry(position, 200, sheet.between(20, 90)),
      [
        (position) => entry(position, 503, 71),
        (position) => entry(position, 404, 33),
        (position) => entry(position, 200, 18_204),
      ],
    )
    sheet.line('    ]', '  }', '}')
    return { command: 'cat network.har' }
  },
}

const openapi: Program = {
  program: 'OpenAPI YAML',
  write(sheet) {
    const path = (more: readonly (string | Marked)[]): Row => {
      const name = `/${noun(sheet)}s/{id}/${noun(sheet)}s`
      return {
        lines: [
          more.length === 0 ? `  ${name}:` : { kind: 'exception', text: `  ${name}:` },
          '    get:',
          `      operationId: ${functionName(sheet)}`,
          ...more,
          '      parameters:',
          '        - name: id',
          '          in: path',
          '          required: true',
          '      responses:',
          "        '200':",
          '          description: OK',
        ],
        name,
      }
    }
    sheet.line('openapi: 3.0.3', 'info:', '  title: Shop', '  version: 4.1.0', 'paths:')
    sheet.fill(
      () => path([]),
      [
        path([{ kind: 'exception', text: '      deprecated: true' }]),
        path([{ kind: 'exception', text: '      security: []' }]),
        path([{ kind: 'exception', text: `      x-internal-owner: ${person(sheet)}` }]),
      ],
    )
    return { command: 'curl -s http://localhost:8080/openapi.yaml' }
  },
}

const gitLog: Program = {
  program: 'git log --stat',
  write(sheet) {
    const commit = (subject: string, isMarked: boolean): Row => {
      const id = sheet.hex(40)
      const head = `commit ${id}`
      const said = `    ${subject}`
      return {
        lines: [
          isMarked ? { kind: 'exception', text: head } : head,
          `Author: ${person(sheet)} <${person(sheet)}@example.com>`,
          `Date:   Mon Jun 1 ${timeAt(sheet.below(900))} 2026 +0200`,
          '',
          isMarked ? { kind: 'exception', text: said } : said,
          '',
          ` ${sourceFile(sheet, 'ts')} | ${sheet.between(2, 40)} ++++----`,
          ` 1 file changed, ${sheet.between(1, 20)} insertions(+), ${sheet.between(1, 20)} deletions(-)`,
          '',
        ],
        name: id.slice(0, 12),
      }
    }
    sheet.fill(
      () => commit(`feat(${service(sheet)}): ${sentence(sheet)}`, false),
      [
        commit(`Revert "feat(${service(sheet)}): ${sentence(sheet)}"`, true),
        commit(`BREAKING: drop ${slug(sheet)} support`, true),
        commit(`hotfix: rotate leaked ${noun(sheet)} key`, true),
      ],
    )
    return { command: 'git log --stat -n 200' }
  },
}

const blame: Program = {
  program: 'git blame',
  write(sheet) {
    let line = 1
    const old = sheet.hex(8)
    const row = (id: string, who: string, when: string): string =>
      `${id} (${who.padEnd(10)} ${when} ${timeAt(line)} +0200 ${String(line++).padStart(4)})   const ${noun(sheet)} = ${functionName(sheet)}(${noun(sheet)})`
    sheet.fill(
      () => row(old, 'alice', '2024-01-12'),
      [
        () => ({ kind: 'exception', text: row(sheet.hex(8), 'bruno', '2026-05-30') }),
        () => ({ kind: 'exception', text: row('00000000', 'Not Committed Yet', '2026-06-01') }),
      ],
    )
    return { command: 'git blame src/core/plan.ts' }
  },
}

const translations: Program = {
  program: 'translations JSON',
  write(sheet) {
    sheet.line('{')
    const row = (value: string): readonly [string, string] => {
      const key = `${service(sheet)}.${noun(sheet)}.${noun(sheet)}.title`
      return [`  "${key}": "${value}",`, key]
    }
    sheet.fill(() => {
      const [text, name] = row(`Der ${noun(sheet)} von {name} ist bereit`)
      return { lines: [text], name }
    }, [
      { kind: 'exception', text: row('')[0] },
      { kind: 'exception', text: row(`TODO translate: the ${noun(sheet)}`)[0] },
      { kind: 'exception', text: row(`Die ${noun(sheet)} von {nmae} fehlt`)[0] },
    ])
    sheet.line('  "end": ""', '}')
    return { command: 'cat locales/de.json' }
  },
}

const dump: Program = {
  program: 'SQL dump',
  write(sheet) {
    sheet.line('-- PostgreSQL database dump', 'SET statement_timeout = 0;', '')
    let id = 1
    const insert = (state: string, amount: number): string =>
      `INSERT INTO public.orders (id, customer, state, amount, created_at) VALUES (${id++}, '${person(sheet)}@example.com', '${state}', ${amount.toFixed(2)}, '2026-05-${sheet.between(10, 28)} 10:11:12');`
    const usual = (): number => sheet.between(900, 9900) / 100
    sheet.fill(
      () => insert('paid', usual()),
      [
        () => ({ kind: 'exception', text: insert('chargeback', usual()) }),
        () => ({ kind: 'exception', text: insert('paid', 481_120.04) }),
        () => ({
          kind: 'change',
          text: `ALTER TABLE ONLY public.orders DROP CONSTRAINT orders_${noun(sheet)}_fkey;`,
        }),
      ],
    )
    sheet.line('-- PostgreSQL database dump complete')
    return { command: 'cat backup.sql' }
  },
}

const ini: Program = {
  program: 'php configuration',
  write(sheet) {
    sheet.line('phpinfo()', 'PHP Version => 8.3.6', '', 'Directive => Local Value => Master Value')
    const row = (local: string, master: string): readonly [string, string] => {
      const name = `${service(sheet)}.${noun(sheet)}_${noun(sheet)}`
      return [`${name} => ${local} => ${master}`, name]
    }
    sheet.fill(() => {
      const value = sheet.pick(['On', 'Off', '0', '1'])
      const [text, name] = row(value, value)
      return { lines: [text], name }
    }, [
      { kind: 'exception', text: row('/srv/custom/session', '/var/lib/php/sessions')[0] },
      { kind: 'exception', text: row('no value', 'no value')[0] },
      { kind: 'exception', text: row('-1', '134217728')[0] },
    ])
    return { command: 'php -i' }
  },
}

const events: Program = {
  program: 'CloudTrail JSON lines',
  write(sheet) {
    const event = (position: number, name: string, more: object = {}): string =>
      JSON.stringify({
        eventTime: `2026-06-01T${timeAt(position)}Z`,
        eventName: name,
        awsRegion: 'eu-west-1',
        sourceIPAddress: ip4(sheet),
        userIdentity: { type: 'AssumedRole', userName: `ci-${service(sheet)}` },
        ...more,
      })
    sheet.fill(
      (position) =>
        event(position, sheet.pick(['GetObject', 'PutObject', 'DescribeInstances', 'AssumeRole'])),
      [
        (position) => ({ kind: 'exception', text: event(position, 'DeleteBucketPolicy') }),
        (position) => ({
          kind: 'failure',
          text: event(position, 'GetSecretValue', {
            errorCode: 'AccessDenied',
            errorMessage: `not authorized for ${noun(sheet)}`,
          }),
        }),
        (position) => ({
          kind: 'exception',
          text: event(position, 'ConsoleLogin', { awsRegion: 'us-east-1' }),
        }),
      ],
    )
    return { command: 'cat trail.jsonl' }
  },
}

const ip4 = (sheet: { between(least: number, most: number): number }): string =>
  `10.${sheet.between(0, 9)}.${sheet.between(0, 255)}.${sheet.between(1, 254)}`

export const documents: readonly Program[] = [
  har,
  openapi,
  gitLog,
  blame,
  translations,
  dump,
  ini,
  events,
]
