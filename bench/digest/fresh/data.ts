import type { Marked, Program, Row } from '../sheet.ts'
import { columns, ip, noun, person, service, snakeName, timeAt, uuid } from '../words.ts'

const explain: Program = {
  program: 'EXPLAIN ANALYZE',
  write(sheet) {
    sheet.line('                                   QUERY PLAN', '-'.repeat(96))
    sheet.line(
      ' Append  (cost=0.00..91842.11 rows=120433 width=84) (actual time=0.021..4122.871 rows=118204 loops=1)',
    )
    let part = 0
    const scan = (
      actual: string,
      rows: number,
      more: readonly (string | Marked)[] = [],
      isOdd = false,
    ): Row => {
      const table = `${noun(sheet)}_p${part++}`
      const head = `   ->  Index Scan using ${table}_pkey on ${table}  (cost=0.42..812.10 rows=${sheet.between(900, 1100)} width=84) (actual time=${actual} rows=${rows} loops=1)`
      return {
        lines: [
          isOdd ? { kind: 'exception', text: head } : head,
          `         Index Cond: (created_at >= '2026-0${sheet.between(1, 9)}-01'::date)`,
          ...more,
        ],
        name: table,
      }
    }
    const usual = (): Row =>
      scan(
        `0.0${sheet.between(10, 99)}..${sheet.between(1, 9)}.${sheet.between(100, 999)}`,
        sheet.between(900, 1100),
      )
    const table = `${noun(sheet)}_archive`
    const sequential: Row = {
      lines: [
        {
          kind: 'exception',
          text: `   ->  Seq Scan on ${table}  (cost=0.00..48211.00 rows=12 width=84) (actual time=12.117..3841.220 rows=12 loops=1)`,
        },
        `         Filter: (created_at >= '2026-01-01'::date)`,
        { kind: 'exception', text: '         Rows Removed by Filter: 2118842' },
      ],
    }
    const spilled = scan(
      '0.031..88.402',
      88_121,
      [{ kind: 'exception', text: '         Sort Method: external merge  Disk: 48112kB' }],
      true,
    )
    sheet.fill(usual, [sequential, spilled])
    sheet.mark('summary', ` Planning Time: ${sheet.between(2, 90)}.114 ms`)
    sheet.mark('summary', ` Execution Time: ${sheet.between(4123, 4300)}.871 ms`)
    sheet.line(`(${part * 2 + 6} rows)`)
    return {
      command: `psql -c "EXPLAIN ANALYZE SELECT * FROM events WHERE created_at >= '2026-01-01'"`,
    }
  },
}

const processes: Program = {
  program: 'mysql vertical',
  write(sheet) {
    let row = 1
    const thread = (command: string, seconds: number, state: string, info: string): Row => {
      const odd = command !== 'Sleep'
      const id = sheet.between(10_000, 99_999)
      const mark = (text: string): string | Marked => (odd ? { kind: 'exception', text } : text)
      return {
        lines: [
          `*************************** ${row++}. row ***************************`,
          `     Id: ${id}`,
          `   User: app_${service(sheet)}`,
          `   Host: ${ip(sheet)}:${sheet.between(30_000, 60_000)}`,
          '     db: shop',
          mark(`Command: ${command}`),
          mark(`   Time: ${seconds}`),
          mark(`  State: ${state}`),
          mark(`   Info: ${info}`),
        ],
        name: String(id),
      }
    }
    sheet.fill(
      () => thread('Sleep', sheet.between(1, 90), '', 'NULL'),
      [
        thread(
          'Query',
          4811,
          'Waiting for table metadata lock',
          'ALTER TABLE orders ADD COLUMN note text',
        ),
        thread('Query', 4902, 'Sending data', `SELECT * FROM ${noun(sheet)}s ORDER BY RAND()`),
      ].slice(0, sheet.between(1, 2)),
    )
    sheet.mark('summary', `${row - 1} rows in set (0.00 sec)`)
    return { command: "mysql -e 'SHOW FULL PROCESSLIST\\G'" }
  },
}

const kafka: Program = {
  program: 'kafka-consumer-groups',
  write(sheet) {
    const widths = [16, 26, 11, 16, 16, 12, 54, 17]
    sheet.line(
      '',
      columns(
        [
          'GROUP',
          'TOPIC',
          'PARTITION',
          'CURRENT-OFFSET',
          'LOG-END-OFFSET',
          'LAG',
          'CONSUMER-ID',
          'HOST',
          'CLIENT-ID',
        ],
        widths,
      ),
    )
    let partition = 0
    const row = (lag: number, hasConsumer = true): string => {
      const end = sheet.between(1_000_000, 9_000_000)
      const consumer = hasConsumer ? `consumer-${sheet.hex(4)}-${uuid(sheet)}` : '-'
      return columns(
        [
          'orders-sink',
          `orders.${noun(sheet)}`,
          partition++,
          end - lag,
          end,
          lag,
          consumer,
          hasConsumer ? `/${ip(sheet)}` : '-',
          hasConsumer ? 'orders' : '-',
        ],
        widths,
      )
    }
    sheet.fill(
      () => row(sheet.below(12)),
      [
        { kind: 'exception', text: row(482_113) },
        { kind: 'exception', text: row(3, false) },
        { kind: 'exception', text: row(91_022, false) },
      ],
    )
    return {
      command: 'kafka-consumer-groups --bootstrap-server kafka:9092 --describe --group orders-sink',
    }
  },
}

const rabbit: Program = {
  program: 'rabbitmqctl list_queues',
  write(sheet) {
    sheet.line(
      'Timeout: 60.0 seconds ...',
      'Listing queues for vhost / ...',
      'name\tmessages\tconsumers\tstate',
    )
    const row = (
      messages: number,
      consumers: number,
      state = 'running',
    ): readonly [string, string] => {
      const name = `${service(sheet)}.${noun(sheet)}.${sheet.pick(['created', 'updated', 'retry', 'events'])}`
      return [`${name}\t${messages}\t${consumers}\t${state}`, name]
    }
    sheet.fill(
      () => {
        const [text, name] = row(sheet.below(8), sheet.between(2, 4))
        return { lines: [text], name }
      },
      sheet.some<Row>(
        [
          { kind: 'exception', text: row(128_441, 2)[0] },
          { kind: 'exception', text: row(17, 0)[0] },
          { kind: 'exception', text: row(0, 3, 'down')[0] },
          { kind: 'exception', text: row(2, 3, 'flow')[0] },
        ],
        sheet.between(2, 4),
      ),
    )
    return { command: 'rabbitmqctl list_queues name messages consumers state' }
  },
}

const elastic: Program = {
  program: 'elasticsearch cat indices',
  write(sheet) {
    const widths = [7, 7, 34, 24, 5, 5, 12, 14, 12]
    sheet.line(
      columns(
        [
          'health',
          'status',
          'index',
          'uuid',
          'pri',
          'rep',
          'docs.count',
          'docs.deleted',
          'store.size',
          'pri.store.size',
        ],
        widths,
      ),
    )
    const row = (
      health: string,
      status: string,
      rep = 1,
      docs = sheet.between(10_000, 90_000),
    ): readonly [string, string] => {
      const name = `logs-${service(sheet)}-2026.0${sheet.between(1, 9)}.${sheet.between(10, 28)}`
      return [
        columns(
          [
            health,
            status,
            name,
            sheet.hex(22),
            1,
            rep,
            docs,
            sheet.below(40),
            `${sheet.between(10, 90)}mb`,
            `${sheet.between(5, 45)}mb`,
          ],
          widths,
        ),
        name,
      ]
    }
    sheet.fill(
      () => {
        const [text, name] = row('green', 'open')
        return { lines: [text], name }
      },
      sheet.some<Row>(
        [
          { kind: 'exception', text: row('red', 'open')[0] },
          { kind: 'exception', text: row('yellow', 'open')[0] },
          { kind: 'exception', text: row('green', 'close')[0] },
          { kind: 'exception', text: row('green', 'open', 0)[0] },
          { kind: 'exception', text: row('green', 'open', 1, 98_112_004)[0] },
        ],
        sheet.between(2, 5),
      ),
    )
    return { command: "curl -s 'http://es:9200/_cat/indices?v'" }
  },
}

const clickhouse: Program = {
  program: 'clickhouse-client',
  write(sheet) {
    const widths = [30, 10, 12, 10]
    const edge = (left: string, middle: string, right: string): string =>
      left + widths.map((width) => '─'.repeat(width)).join(middle) + right
    const draw = (cells: readonly (string | number)[]): string =>
      `│${cells.map((cell, at) => ` ${String(cell).padEnd(widths[at]! - 1)}`).join('│')}│`
    sheet.line(edge('┌', '┬', '┐'), draw(['table', 'parts', 'rows', 'ratio']), edge('├', '┼', '┤'))
    const row = (parts: number, ratio: number): readonly [string, string] => {
      const name = `${noun(sheet)}_${noun(sheet)}_local`
      return [draw([name, parts, sheet.between(10_000, 99_999), ratio.toFixed(2)]), name]
    }
    let count = 2
    sheet.fill(() => {
      count++
      const [text, name] = row(sheet.between(3, 14), sheet.between(280, 420) / 100)
      return { lines: [text], name }
    }, [
      { kind: 'exception', text: row(3012, 3.1)[0] },
      { kind: 'exception', text: row(8, 0.97)[0] },
    ])
    sheet.line(edge('└', '┴', '┘'), '')
    sheet.mark('summary', `${count} rows in set. Elapsed: 0.0${sheet.between(10, 99)} sec.`)
    return {
      command:
        "clickhouse-client -q 'SELECT table, count() FROM system.parts GROUP BY table FORMAT PrettySpace'",
    }
  },
}

const dbt: Program = {
  program: 'dbt build',
  write(sheet) {
    sheet.line(
      '06:00:01  Running with dbt=1.8.2',
      '06:00:03  Found 412 models, 988 data tests, 31 sources',
      '',
    )
    const total = 420
    let at = 0
    const done = (position: number, verdict: string, what: string): string =>
      `${timeAt(position, 1)}  ${String(++at)} of ${total} ${what} ${'.'.repeat(Math.max(4, 60 - what.length))} [${verdict} in ${sheet.between(0, 9)}.${sheet.between(10, 99)}s]`
    const usual = (position: number): Row => {
      const name = snakeName(sheet)
      return {
        lines: [done(position, `CREATE VIEW`, `OK created sql view model analytics.${name}`)],
        name,
      }
    }
    const broken = `not_null_${noun(sheet)}_id`
    sheet.fill(usual, [
      (position) => ({ kind: 'failure', text: done(position, 'FAIL 14', `FAIL 14 ${broken}`) }),
      (position) => ({
        kind: 'failure',
        text: done(
          position,
          'ERROR',
          `ERROR creating sql table model analytics.${snakeName(sheet)}`,
        ),
      }),
      (position) => ({
        kind: 'warning',
        text: done(position, 'WARN 3', `WARN 3 accepted_values_${noun(sheet)}_state`),
      }),
      (position) => ({
        kind: 'exception',
        text: done(position, 'SKIP', `SKIP relation analytics.${snakeName(sheet)}`),
      }),
    ])
    sheet.line('')
    sheet.mark(
      'failure',
      `06:14:09    Database Error in model ${noun(sheet)} (models/marts/${noun(sheet)}.sql)`,
    )
    sheet.mark('failure', `06:14:09    column "${noun(sheet)}_total" does not exist`)
    sheet.mark('summary', `06:14:09  Done. PASS=${at - 4} WARN=1 ERROR=2 SKIP=1 TOTAL=${at}`)
    return { command: 'dbt build --select marts', status: 'error' }
  },
}

const flyway: Program = {
  program: 'flyway info',
  write(sheet) {
    const widths = [11, 10, 44, 6, 22, 10]
    const rule = `+${widths.map((width) => '-'.repeat(width)).join('+')}+`
    const draw = (cells: readonly string[]): string =>
      `|${cells.map((cell, at) => ` ${cell.padEnd(widths[at]! - 1)}`).join('|')}|`
    sheet.line(
      'Schema version: 4.112',
      '',
      rule,
      draw(['Category', 'Version', 'Description', 'Type', 'Installed On', 'State']),
      rule,
    )
    let version = 0
    const row = (
      state: string,
      on = `2026-0${sheet.between(1, 6)}-${sheet.between(10, 28)} 10:11:12`,
    ): Row => {
      const text = `${sheet.pick(['add', 'drop', 'rename', 'index'])} ${noun(sheet)} ${noun(sheet)}`
      const line = draw(['Versioned', `4.${++version}`, text, 'SQL', on, state])
      return state === 'Success' ? line : { kind: 'exception', text: line }
    }
    sheet.fill(
      () => row('Success'),
      [() => row('Out of Order'), () => row('Missing'), () => row('Failed')],
    )
    sheet.row(row('Pending', ''))
    sheet.row(row('Pending', ''))
    sheet.line(rule)
    return { command: 'flyway info' }
  },
}

const nodetool: Program = {
  program: 'nodetool status',
  write(sheet) {
    const node = (
      state: string,
      load: string,
      owns = `${sheet.between(10, 14)}.${sheet.below(10)}%`,
    ): Row => {
      const line = `${state}  ${ip(sheet).padEnd(16)} ${load.padEnd(12)} 16      ${owns.padEnd(18)} ${uuid(sheet)}  rack${sheet.between(1, 3)}`
      return state === 'UN' && /GiB/.test(load) ? line : { kind: 'exception', text: line }
    }
    const usual = (): Row => node('UN', `${sheet.between(110, 180)}.${sheet.between(10, 99)} GiB`)
    for (const center of ['eu-west', 'us-east']) {
      sheet.line(
        `Datacenter: ${center}`,
        '='.repeat(19),
        'Status=Up/Down',
        '|/ State=Normal/Leaving/Joining/Moving',
      )
      sheet.line(
        '--  Address          Load         Tokens  Owns (effective)   Host ID                               Rack',
      )
      sheet.fill(
        usual,
        center === 'eu-west'
          ? [node('DN', '142.11 GiB')]
          : [node('UJ', '88.2 MiB'), node('UN', '2.91 TiB')],
        center === 'eu-west' ? 0.5 : 1,
      )
      sheet.line('')
    }
    return { command: 'nodetool status' }
  },
}

const slowlog: Program = {
  program: 'mongod slow queries',
  write(sheet) {
    const entry = (
      position: number,
      severity: string,
      component: string,
      message: string,
      attr: object,
    ): string =>
      JSON.stringify({
        t: { $date: `2026-06-01T${timeAt(position)}.101Z` },
        s: severity,
        c: component,
        id: 51_803,
        ctx: `conn${sheet.between(10, 999)}`,
        msg: message,
        attr,
      })
    const usual = (position: number): Row => {
      const ns = `shop.${noun(sheet)}s`
      return {
        lines: [
          entry(position, 'I', 'COMMAND', 'Slow query', {
            ns,
            planSummary: 'IXSCAN { _id: 1 }',
            durationMillis: sheet.between(100, 190),
          }),
        ],
        name: ns,
      }
    }
    sheet.fill(usual, [
      (position) => ({
        kind: 'exception',
        text: entry(position, 'I', 'COMMAND', 'Slow query', {
          ns: `shop.${noun(sheet)}s`,
          planSummary: 'COLLSCAN',
          durationMillis: 48_112,
        }),
      }),
      (position) => ({
        kind: 'failure',
        text: entry(position, 'E', 'STORAGE', 'WiredTiger error message', {
          error: 28,
          message: 'No space left on device',
        }),
      }),
      (position) => ({
        kind: 'warning',
        text: entry(position, 'W', 'REPL', 'Oplog application is lagging', {
          lagSecs: 311,
          member: person(sheet),
        }),
      }),
    ])
    return { command: 'kubectl logs mongo-0' }
  },
}

export const data: readonly Program[] = [
  explain,
  processes,
  kafka,
  rabbit,
  elastic,
  clickhouse,
  dbt,
  flyway,
  nodetool,
  slowlog,
]
