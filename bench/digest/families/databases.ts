import type { Program, Row, Sheet } from '../sheet.ts'
import { noun, person, service, slug, snakeName, timeAt, uuid } from '../words.ts'

const amount = (sheet: Sheet): string => `${sheet.between(5, 400)}.${sheet.between(10, 99)}`

const psql: Program = {
  program: 'psql',
  write(sheet) {
    const widths = [8, 14, 10, 12, 22]
    const draw = (cells: readonly string[]): string =>
      ` ${cells.map((cell, index) => (index === 2 ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!))).join(' | ')}`
    sheet.line(
      draw(['id', 'customer', 'amount', 'status', 'created_at']),
      widths.map((width) => '-'.repeat(width + 2)).join('+'),
    )
    let rows = 0
    const row = (p: number, status: string, total = amount(sheet)): readonly [string, string] => {
      rows++
      const id = String(51_000 + p * 7)
      return [draw([id, person(sheet), total, status, `2026-03-14 ${timeAt(p, 11)}`]), ` ${id} `]
    }
    const odd: readonly ((p: number) => Row)[] = [
      (p) => ({ kind: 'exception', text: row(p, 'declined')[0] }),
      (p) => ({ kind: 'exception', text: row(p, 'declined')[0] }),
      (p) => ({ kind: 'exception', text: row(p, 'chargeback')[0] }),
      (p) => ({ kind: 'exception', text: row(p, 'settled', '-129.00')[0] }),
      (p) => ({ kind: 'exception', text: row(p, '', amount(sheet))[0] }),
      (p) => ({ kind: 'exception', text: row(p, 'settled', '981200.00')[0] }),
    ]
    sheet.fill(
      (p) => {
        const [text, name] = row(p, 'settled')
        return { lines: [text], name: name.trim() }
      },
      sheet.some(odd, sheet.between(1, 5)),
    )
    sheet.mark('summary', `(${rows - 8} rows)`)
    return {
      command:
        'psql -c "select id, customer, amount, status, created_at from payments order by id"',
    }
  },
}

const mysql: Program = {
  program: 'mysql',
  write(sheet) {
    const widths = [28, 10, 12, 22, 8]
    const rule = `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+`
    const draw = (cells: readonly string[]): string =>
      `|${cells.map((cell, index) => ` ${cell.padEnd(widths[index]!)} `).join('|')}|`
    sheet.line(rule, draw(['email', 'plan', 'seats', 'last_login', 'active']), rule)
    let rows = -8
    const row = (
      p: number,
      login: string,
      active: string,
      seats = String(sheet.between(1, 40)),
    ): readonly [string, string] => {
      rows++
      const email = `${person(sheet)}.${noun(sheet)}${sheet.below(99)}@acme.io`
      return [
        draw([
          email,
          sheet.pick(['team', 'free', 'pro']),
          seats,
          login || `2026-03-14 ${timeAt(p, 9)}`,
          active,
        ]),
        email,
      ]
    }
    const odd: readonly ((p: number) => Row)[] = [
      (p) => ({ kind: 'exception', text: row(p, 'NULL', '1')[0] }),
      (p) => ({ kind: 'exception', text: row(p, '', '0')[0] }),
      (p) => ({ kind: 'exception', text: row(p, '', '1', '-3')[0] }),
      (p) => ({ kind: 'exception', text: row(p, '0000-00-00 00:00:00', '1')[0] }),
    ]
    sheet.fill(
      (p) => {
        const [text, name] = row(p, '', '1')
        return { lines: [text], name }
      },
      sheet.some(odd, sheet.between(1, 3)),
    )
    sheet.line(rule)
    sheet.mark('summary', `${rows} rows in set (0.07 sec)`)
    return {
      command: 'mysql -t shop -e "select email, plan, seats, last_login, active from users"',
    }
  },
}

const sqlite: Program = {
  program: 'sqlite3',
  write(sheet) {
    const row = (p: number, size: string, state: string): readonly [string, string] => {
      const key = `${slug(sheet)}-${p}`
      return [`${p + 1}|${key}|${size}|${state}|2026-03-1${sheet.below(5)}`, key]
    }
    const odd: readonly ((p: number) => Row)[] = [
      (p) => ({ kind: 'exception', text: row(p, '', 'stored')[0] }),
      (p) => ({ kind: 'exception', text: row(p, '0', 'corrupt')[0] }),
      (p) => ({
        kind: 'exception',
        text: row(p, String(sheet.between(800_000_000, 999_000_000)), 'stored')[0],
      }),
      (p) => ({ kind: 'exception', text: row(p, '2310', 'orphan')[0] }),
    ]
    sheet.fill(
      (p) => {
        const [text, name] = row(p, String(sheet.between(1_000, 9_999)), 'stored')
        return { lines: [text], name }
      },
      sheet.some(odd, sheet.between(1, 3)),
    )
    return { command: "sqlite3 cache.db 'select rowid, key, bytes, state, day from blobs'" }
  },
}

const sqlDump: Program = {
  program: 'psql migration',
  write(sheet) {
    const odd: readonly Row[] = [
      {
        lines: [
          {
            kind: 'failure',
            text: `psql:dump.sql:${sheet.between(400, 900)}: ERROR:  duplicate key value violates unique constraint "users_email_key"`,
          },
          {
            kind: 'failure',
            text: `DETAIL:  Key (email)=(${person(sheet)}@acme.io) already exists.`,
          },
        ],
      },
      {
        kind: 'warning',
        text: `psql:dump.sql:${sheet.between(100, 390)}: NOTICE:  relation "audit" already exists, skipping`,
      },
      {
        kind: 'failure',
        text: `psql:dump.sql:${sheet.between(950, 990)}: ERROR:  role "reporting" does not exist`,
      },
      { kind: 'exception', text: 'DELETE 48210' },
    ]
    sheet.fill(
      () => {
        const name = snakeName(sheet)
        return sheet.chance(0.3)
          ? {
              lines: [`psql:dump.sql: creating index ${name}_idx`, 'CREATE INDEX'],
              name: `${name}_idx`,
            }
          : sheet.pick(['CREATE TABLE', 'ALTER TABLE', 'INSERT 0 1', 'COMMENT', 'CREATE SEQUENCE'])
      },
      sheet.some(odd, sheet.between(1, 4)),
    )
    return { command: 'psql -f dump.sql staging' }
  },
}

const redis: Program = {
  program: 'redis-cli',
  write(sheet) {
    const odd: readonly Row[] = [
      { kind: 'exception', text: `session:${uuid(sheet)} ttl=-1 bytes=${sheet.between(200, 400)}` },
      {
        kind: 'exception',
        text: `session:${uuid(sheet)} ttl=${sheet.between(100, 3600)} bytes=${sheet.between(8_000_000, 90_000_000)}`,
      },
      {
        kind: 'failure',
        text: '(error) WRONGTYPE Operation against a key holding the wrong kind of value',
      },
      { kind: 'exception', text: `lock:migrate:${service(sheet)} ttl=-1 bytes=64` },
    ]
    sheet.fill(
      () => {
        const id = uuid(sheet)
        return {
          lines: [`session:${id} ttl=${sheet.between(100, 3600)} bytes=${sheet.between(200, 400)}`],
          name: id,
        }
      },
      sheet.some(odd, sheet.between(1, 3)),
    )
    return { command: "redis-cli --scan --pattern '*' | xargs -n1 ./scripts/key-info.sh" }
  },
}

const mongo: Program = {
  program: 'mongosh',
  write(sheet) {
    const document = (state: string, attempts = 1): Row => {
      const id = sheet.hex(24)
      const isOdd = state !== 'done' || attempts > 1
      const first = `    _id: ObjectId('${id}'),`
      const last = attempts > 1 ? `    attempts: ${attempts},` : `    state: '${state}',`
      const facts = [id, attempts > 1 ? String(attempts) : state]
      return {
        name: id,
        lines: [
          '  {',
          isOdd ? { kind: 'exception', text: first, facts } : first,
          `    kind: '${sheet.pick(['email', 'invoice', 'resize'])}',`,
          `    owner: '${person(sheet)}',`,
          ...(attempts > 1
            ? [`    state: '${state}',`, { kind: 'exception' as const, text: last, facts }]
            : [
                isOdd ? { kind: 'exception' as const, text: last, facts } : last,
                '    attempts: 1,',
              ]),
          `    at: ISODate('2026-03-14T${timeAt(sheet.below(9000))}.000Z')`,
          '  },',
        ],
      }
    }
    sheet.line('[')
    const odd = sheet
      .some(['dead', 'stalled', 'cancelled'], sheet.between(1, 2))
      .map((state) => document(state))
    if (sheet.chance(0.5)) odd.push(document('done', sheet.between(30, 99)))
    sheet.fill(() => document('done'), odd)
    sheet.line(']')
    return { command: "mongosh --quiet jobs --eval 'db.jobs.find().toArray()'" }
  },
}

export const databases: readonly Program[] = [psql, mysql, sqlite, sqlDump, redis, mongo]
