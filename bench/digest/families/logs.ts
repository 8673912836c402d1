import type { Marked, Program, Row, RowWriter } from '../sheet.ts'
import { ip, noun, person, service, snakeName, timeAt, typeName } from '../words.ts'

const exception = (text: string, ...facts: readonly string[]): Marked =>
  facts.length === 0 ? { kind: 'exception', text } : { kind: 'exception', text, facts }

const nginx: Program = {
  program: 'nginx access log',
  write(sheet) {
    const agents = [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/124.0 Safari/537.36',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Safari/604.1',
      'okhttp/4.12.0',
    ]
    const anyPath = (): string => `/v1/${noun(sheet)}s/${sheet.hex(8)}`
    const row = (p: number, request: string, answer: string, seconds?: string): string =>
      `${ip(sheet)} - - [14/Mar/2026:${timeAt(p, 0.7)} +0000] "${request} HTTP/1.1" ${answer} "-" "${sheet.pick(agents)}" ${seconds ?? (sheet.between(2, 380) / 1_000).toFixed(3)}`
    const size = (): number => sheet.between(300, 48_000)
    const odd: readonly RowWriter[] = [
      ...(
        [
          ['POST', '499 0', '12.004'],
          ['GET', '502 157', '0.004'],
          ['PUT', '413 183', '0.002'],
          ['GET', '429 162', '0.001'],
          ['GET', `200 ${sheet.between(880_000_000, 990_000_000)}`, '0.214'],
        ] as const
      ).map(
        ([method, answer, seconds]): RowWriter =>
          (p) => {
            const path = anyPath()
            return exception(
              row(p, `${method} ${path}`, answer, seconds),
              path,
              answer.split(' ')[0]!,
            )
          },
      ),
      (p) => {
        const path = anyPath()
        const seconds = `${sheet.between(29, 58)}.${sheet.between(100, 999)}`
        return exception(row(p, `GET ${path}`, `200 ${size()}`, seconds), path, seconds)
      },
      (p) => {
        const path = `/admin/${noun(sheet)}s/export`
        return exception(row(p, `DELETE ${path}`, '200 12'), 'DELETE', path)
      },
      (p) => exception(row(p, 'GET /.env', '200 1204'), 'GET /.env', '200'),
    ]
    sheet.fill(
      (p) => {
        const path = anyPath()
        const answer = sheet.chance(0.2) ? '304 0' : `200 ${size()}`
        return { lines: [row(p, `GET ${path}`, answer)], name: path }
      },
      sheet.some(odd, sheet.between(1, 4)),
    )
    return { command: 'cat logs/access.log' }
  },
}

const journal: Program = {
  program: 'journalctl',
  write(sheet) {
    const host = `web-${sheet.between(1, 9)}`
    const at = (p: number): string => `Mar 14 ${timeAt(p, 2)} ${host}`
    const unit = `${service(sheet)}.service`
    const pid = sheet.between(2_000, 60_000)
    const odd: readonly RowWriter[] = [
      (p) => ({
        lines: [
          `${at(p)} kernel: node invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0`,
          {
            kind: 'failure',
            text: `${at(p)} kernel: Out of memory: Killed process ${pid} (node) total-vm:22411204kB, anon-rss:15900412kB`,
          },
          {
            kind: 'exit',
            text: `${at(p)} systemd[1]: ${unit}: Main process exited, code=killed, status=9/KILL`,
          },
        ],
      }),
      (p) =>
        exception(
          `${at(p)} sshd[${pid + 4}]: Accepted password for root from 203.0.113.${sheet.between(2, 250)} port ${sheet.between(30_000, 60_000)} ssh2`,
        ),
      (p) => ({
        kind: 'change',
        text: `${at(p)} sudo[${pid + 9}]:   ${person(sheet)} : TTY=pts/0 ; PWD=/etc ; USER=root ; COMMAND=/usr/bin/sed -i s/8/2/ /etc/${noun(sheet)}.conf`,
      }),
      (p) => exception(`${at(p)} chronyd[812]: System clock was stepped by 31.204418 seconds`),
      () => ({ kind: 'exit', text: `-- Boot ${sheet.hex(32)} --` }),
      (p) => exception(`${at(p)} kernel: EXT4-fs (nvme1n1): Remounting filesystem read-only`),
      (p) => ({
        kind: 'warning',
        text: `${at(p)} kernel: nvme nvme1: I/O ${sheet.between(10, 900)} QID 4 timeout, aborting`,
      }),
    ]
    sheet.fill(
      (p) => {
        const name = `session-${sheet.between(1_000, 99_999)}.scope`
        const job = sheet.between(2_000, 60_000)
        const text = sheet.pick([
          `systemd[1]: Started ${name} - Session of User ${person(sheet)}.`,
          `systemd[1]: ${name}: Deactivated successfully.`,
          `CRON[${job}]: (root) CMD (test -x /usr/sbin/anacron || run-parts /etc/cron.hourly) # ${name}`,
          `systemd-logind[701]: Removed ${name}.`,
          `${service(sheet)}[${job}]: flushed ${sheet.between(1, 900)} ${noun(sheet)}s, 0 errors, in ${name}`,
        ])
        return { lines: [`${at(p)} ${text}`], name }
      },
      sheet.some(odd, sheet.between(1, 4)),
    )
    return { command: 'journalctl --since today --no-pager' }
  },
}

const jsonLines: Program = {
  program: 'JSON lines log',
  write(sheet) {
    const entry = (p: number, level: string, msg: string, more: object): string =>
      JSON.stringify({
        time: `2026-03-14T${timeAt(p, 0.8)}.${sheet.between(100, 999)}Z`,
        level,
        service: 'checkout',
        msg,
        ...more,
      })
    const request = (
      p: number,
      status: number,
      ms: number,
      req = sheet.hex(12),
      path = `/v1/${noun(sheet)}s/${sheet.below(9_000)}`,
    ): readonly [string, string] => [
      entry(p, 'info', 'request completed', { method: 'GET', path, status, duration_ms: ms, req }),
      req,
    ]
    const odd: readonly RowWriter[] = [
      (p) => {
        const ms = sheet.between(29_000, 58_000)
        const [text, req] = request(p, 200, ms)
        return exception(text, req, String(ms))
      },
      (p) => {
        const [text, req] = request(p, 499, sheet.between(3, 60))
        return exception(text, req, '499')
      },
      (p) => {
        const key = `${noun(sheet)}.max_${noun(sheet)}s`
        const from = sheet.between(20, 90)
        const text = entry(p, 'info', 'setting changed', { key, from, to: 1, by: person(sheet) })
        return { kind: 'change', text, facts: [key, String(from)] }
      },
      (p) => {
        const depth = sheet.between(40_000, 90_000)
        const queue = `${noun(sheet)}-out`
        return exception(entry(p, 'info', 'queue depth', { queue, depth }), queue, String(depth))
      },
      (p) => {
        const order = sheet.hex(10)
        const text = entry(p, 'error', 'charge declined by provider', {
          order,
          code: 'do_not_honor',
        })
        return { kind: 'failure', text, facts: [order, 'do_not_honor'] }
      },
      (p) => {
        const attempt = sheet.between(4, 9)
        const target = `${service(sheet)}.internal:7443`
        const text = entry(p, 'warn', 'retrying upstream', { target, attempt })
        return { kind: 'warning', text, facts: [target, String(attempt)] }
      },
      (p) => {
        const version = `4.${sheet.below(30)}.${sheet.below(9)}`
        const text = entry(p, 'info', 'process started', { version, pid: sheet.between(200, 900) })
        return { kind: 'change', text, facts: ['process started', version] }
      },
    ]
    sheet.fill(
      (p) => {
        if (sheet.chance(0.2)) {
          const usual = { queue: 'mail-out', depth: sheet.between(0, 40) }
          return entry(p, 'debug', 'queue depth', usual)
        }
        const [text, req] = request(p, 200, sheet.between(3, 180))
        return { lines: [text], name: req }
      },
      sheet.some(odd, sheet.between(1, 4)),
    )
    return { command: 'cat logs/checkout.jsonl' }
  },
}

const pythonLog: Program = {
  program: 'Python log with a traceback',
  write(sheet) {
    const at = (p: number): string => `2026-03-14 ${timeAt(p, 1.3)},${sheet.between(100, 999)}`
    const frame = (path: string): readonly string[] => [
      `  File "${path}", line ${sheet.between(20, 900)}, in ${snakeName(sheet)}`,
      `    ${noun(sheet)} = self.${snakeName(sheet)}(${noun(sheet)})`,
    ]
    const own = (): string => `/app/shop/${noun(sheet)}/${noun(sheet)}.py`
    const library = (): string =>
      `/usr/lib/python3.12/site-packages/celery/${noun(sheet)}/${noun(sheet)}.py`
    const traceback = (p: number): Row => {
      const raised = sheet.pick([
        `KeyError: '${noun(sheet)}_${sheet.hex(4)}'`,
        `ValueError: invalid literal for int() with base 10: '${sheet.hex(6)}x'`,
        `decimal.InvalidOperation: [<class 'decimal.ConversionSyntax'>] in order ${sheet.hex(8)}`,
        `shop.errors.${typeName(sheet)}Missing: no row for id ${sheet.between(10_000, 99_000)}`,
      ])
      const [place, code] = frame(own())
      const lines: (string | Marked)[] = [
        {
          kind: 'failure',
          text: `${at(p)} ERROR    shop.${noun(sheet)}: task ${snakeName(sheet)} ${sheet.hex(8)} raised`,
        },
        'Traceback (most recent call last):',
        ...frame(library()),
        ...frame(library()),
        ...frame(own()),
        { kind: 'failure', text: place! },
        code!,
        { kind: 'failure', text: raised },
      ]
      if (sheet.chance(0.7)) return { lines }
      const [outer, outerCode] = frame(own())
      return {
        lines: [
          ...lines,
          '',
          'During handling of the above exception, another exception occurred:',
          '',
          'Traceback (most recent call last):',
          ...frame(library()),
          { kind: 'failure', text: outer! },
          outerCode!,
          {
            kind: 'failure',
            text: `shop.errors.RollbackFailed: could not undo ${noun(sheet)} ${sheet.hex(8)}`,
          },
        ],
      }
    }
    const odd: readonly RowWriter[] = [
      traceback,
      (p) => ({
        kind: 'change',
        text: `${at(p)} INFO     shop.flags: flag ${snakeName(sheet)} is now off (was on)`,
      }),
      (p) => ({
        kind: 'warning',
        text: `${at(p)} WARNING  shop.db: pool exhausted, waited ${sheet.between(4, 28)}.2s for a connection`,
      }),
      (p) =>
        exception(
          `${at(p)} INFO     shop.tasks: task ${snakeName(sheet)} ${sheet.hex(8)} done in ${sheet.between(290, 900)}.${sheet.between(100, 999)}s`,
        ),
    ]
    sheet.fill(
      (p) => {
        const id = sheet.hex(8)
        const text = sheet.pick([
          `${at(p)} INFO     shop.tasks: task ${snakeName(sheet)} ${id} done in 0.${sheet.between(100, 999)}s`,
          `${at(p)} DEBUG    shop.db: SELECT ${noun(sheet)}.id FROM ${noun(sheet)} [${id}] ${sheet.between(1, 40)} rows`,
          `${at(p)} INFO     shop.${noun(sheet)}: checked ${sheet.between(2, 90)} ${noun(sheet)}s, 0 errors [${id}]`,
        ])
        return { lines: [text], name: id }
      },
      [...(sheet.chance(0.5) ? [traceback] : []), ...sheet.some(odd, sheet.between(1, 3))],
    )
    return { command: 'cat logs/worker.log' }
  },
}

const actions: Program = {
  program: 'GitHub Actions log',
  write(sheet) {
    const at = (p: number): string =>
      `2026-03-14T${timeAt(p, 0.4)}.${sheet.between(1_000_000, 9_999_999)}Z`
    const [os, key] = ['Linux', sheet.hex(64)]
    sheet.line(
      `${at(0)} Current runner version: '2.316.0'`,
      `${at(0)} ##[group]Operating System`,
      `${at(0)} Ubuntu`,
      `${at(0)} 22.04.4`,
      `${at(0)} ##[endgroup]`,
    )
    const odd: readonly RowWriter[] = [
      (p) => ({
        kind: 'warning',
        text: `${at(p)} ##[warning]Node.js 16 actions are deprecated. Please update the following actions to use Node.js 20: acme/${noun(sheet)}-action@v2.`,
      }),
      (p) =>
        exception(`${at(p)} Cache not found for input keys: ${os}-npm-${key}`, 'Cache not found'),
      (p) =>
        exception(`${at(p)} Attempt 1 failed. Retrying in ${sheet.between(11, 59)} seconds...`),
      (p) => ({
        kind: 'change',
        text: `${at(p)} change ${noun(sheet)}-${noun(sheet)} 4.${sheet.below(9)}.0 => 3.${sheet.below(9)}.2`,
      }),
      (p) =>
        exception(
          `${at(p)} Skipping upload of ${noun(sheet)} report: secret CODECOV_TOKEN is empty`,
        ),
    ]
    let last = 0
    sheet.fill(
      (p) => {
        last = p + 1
        const name = `${noun(sheet)}-${noun(sheet)}-${sheet.hex(4)}`
        if (sheet.chance(0.06))
          return {
            lines: [
              `${at(p)} ##[group]Run npm run build -w ${name}`,
              `${at(p)} \u001b[36;1mnpm run build -w ${name}\u001b[0m`,
              `${at(p)} shell: /usr/bin/bash -e {0}`,
              `${at(p)} ##[endgroup]`,
            ],
            name,
          }
        const text = sheet.pick([
          `dist/assets/${name}.js  ${sheet.between(2, 90)}.${sheet.between(10, 99)} kB │ gzip: ${sheet.between(1, 30)}.12 kB`,
          `  ✓ ${name} ${noun(sheet)} handles ${noun(sheet)} errors (${sheet.between(2, 90)}ms)`,
          `npm http fetch GET 200 https://registry.npmjs.org/${name} ${sheet.between(20, 300)}ms`,
          `sha256:${sheet.hex(12)}: Pull complete (${name})`,
        ])
        return { lines: [`${at(p)} ${text}`], name }
      },
      sheet.some(odd, sheet.between(1, 3)),
    )
    const ending = sheet.pick(['fine', 'code', 'code', 'cancelled'])
    const command = 'cat run-logs/1_build.txt'
    if (ending === 'code') {
      const file = `src/${noun(sheet)}/${noun(sheet)}.ts`
      sheet.mark(
        'failure',
        `${at(last)} ##[error]${file}(${sheet.between(4, 400)},7): error TS2345: Argument of type 'string' is not assignable to parameter of type '${typeName(sheet)}'.`,
      )
      sheet.mark('exit', `${at(last)} ##[error]Process completed with exit code 2.`)
    }
    if (ending === 'cancelled')
      sheet.mark('exit', `${at(last)} ##[error]The operation was canceled.`)
    // The steps after a failed one clean up, so the failure is not at the end.
    const steps = sheet.between(10, 40)
    for (let step = 0; step < steps; step++)
      sheet.line(
        `${at(last + step)} ${sheet.pick([
          'Post job cleanup.',
          '[command]/usr/bin/git version',
          'git version 2.45.1',
          `[command]/usr/bin/git config --local --unset-all http.${noun(sheet)}.extraheader`,
          `Removing ${noun(sheet)}-${sheet.hex(6)} from the workspace`,
        ])}`,
      )
    sheet.line(`${at(last + 41)} Cleaning up orphan processes`)
    return { command }
  },
}

export const logs: readonly Program[] = [nginx, journal, jsonLines, pythonLog, actions]
