import type { Program, Row, Sheet } from '../sheet.ts'
import { columns, folder, noun, person, service, slug } from '../words.ts'

const named = (text: string, name: string): Row => ({ lines: [text], name })
const exception = (text: string): Row => ({ kind: 'exception', text })
const left = (value: string | number, width: number): string => String(value).padStart(width)

/** Numbers of source lines without a test, as coverage programs write them. */
const missedLines = (sheet: Sheet, count: number): string => {
  let at = sheet.between(3, 20)
  return Array.from({ length: count }, () => {
    const from = at
    at += sheet.between(2, 30)
    const to = at
    at += sheet.between(3, 30)
    return sheet.chance(0.5) ? `${from}` : `${from}-${to}`
  }).join(',')
}

const istanbul: Program = {
  program: 'istanbul coverage',
  write(sheet) {
    const rule = `${'-'.repeat(38)}|${'-'.repeat(9)}|${'-'.repeat(10)}|${'-'.repeat(9)}|${'-'.repeat(9)}|${'-'.repeat(21)}`
    const share = (value: number): string => String(Number(value.toFixed(2)))
    const row = (name: string, values: readonly number[], missed: string): string => {
      const [statements, branches, functions, lines] = values.map(share)
      return `${name.padEnd(38)}| ${left(statements!, 7)} | ${left(branches!, 8)} | ${left(functions!, 7)} | ${left(lines!, 7)} | ${missed.padEnd(19)} `
    }
    const good = (): number => (sheet.chance(0.6) ? 100 : sheet.between(9000, 9990) / 100)
    const bad = (): number => sheet.between(0, 3500) / 100
    const total = sheet.between(8000, 9400) / 100
    const file = (): string => `  ${noun(sheet)}-${noun(sheet)}-${sheet.hex(2)}.ts`
    sheet.line(
      rule,
      `${'File'.padEnd(38)}| % Stmts | % Branch | % Funcs | % Lines | ${'Uncovered Line #s'.padEnd(19)} `,
      rule,
    )
    sheet.mark('summary', row('All files', [total, total - 7.31, total + 1.24, total], ''))
    const planted = Array.from({ length: sheet.between(1, 4) }, () => {
      const untested = sheet.chance(0.4)
      const values = [1, 2, 3, 4].map(() => (untested ? 0 : bad()))
      return exception(row(file(), values, untested ? '1-214' : missedLines(sheet, 3)))
    })
    sheet.fill((position) => {
      if (position % 9 === 0) return row(` ${folder(sheet)}`, [good(), good(), good(), good()], '')
      const name = file()
      const lines = good()
      const missed = lines === 100 ? '' : missedLines(sheet, 2)
      return named(row(name, [lines, good(), good(), lines], missed), name.trim())
    }, planted)
    sheet.line(rule)
    if (!sheet.chance(0.5)) return { command: 'npx jest --coverage --silent' }
    sheet.mark(
      'failure',
      `Jest: "global" coverage threshold for lines (95%) not met: ${share(total)}%`,
    )
    return { command: 'npx jest --coverage --silent', status: 'error' }
  },
}

const pytestCov: Program = {
  program: 'pytest-cov',
  write(sheet) {
    const row = (name: string, count: number, missed: number, missing: string): string => {
      const share = Math.round((100 * (count - missed)) / count)
      return `${name.padEnd(48)}${left(count, 6)}${left(missed, 7)}${left(`${share}%`, 7)}   ${missing}`.trimEnd()
    }
    const file = (): string =>
      `acme/${folder(sheet).split('/').pop()}/${noun(sheet)}_${noun(sheet)}_${sheet.hex(2)}.py`
    const passed = sheet.between(300, 1500)
    const failed = sheet.chance(0.4)
    for (let done = 72; done < passed + 72; done += 72) {
      const dots = '.'.repeat(Math.min(72, passed - done + 72))
      const share = Math.floor((100 * Math.min(done, passed)) / passed)
      sheet.line(`${dots.padEnd(72)} [${left(share, 3)}%]`)
    }
    sheet.line(
      '',
      '---------- coverage: platform linux, python 3.12.2-final-0 -----------',
      `${'Name'.padEnd(48)} Stmts   Miss  Cover   Missing`,
      '-'.repeat(78),
    )
    const planted = Array.from({ length: sheet.between(1, 4) }, () => {
      const count = sheet.between(60, 400)
      const untested = sheet.chance(0.4)
      const missed = untested ? count : Math.floor(count * 0.8)
      return exception(row(file(), count, missed, untested ? `1-${count + 31}` : '14-88, 97-301'))
    })
    sheet.fill(() => {
      const name = file()
      const count = sheet.between(20, 300)
      const missed = sheet.chance(0.5) ? 0 : Math.floor((count * sheet.between(1, 9)) / 100)
      const missing = missed === 0 ? '' : missedLines(sheet, 2).replaceAll(',', ', ')
      return named(row(name, count, missed, missing), name)
    }, planted)
    sheet.line('-'.repeat(78))
    const share = sheet.between(72, 89)
    sheet.mark('summary', row('TOTAL', 40_000, 400 * (100 - share), ''))
    sheet.line('')
    if (failed)
      sheet.mark(
        'failure',
        `FAIL Required test coverage of 90% not reached. Total coverage: ${share}.00%`,
      )
    sheet.mark('summary', `${passed} passed in ${sheet.between(20, 59)}.27s`)
    return {
      command: `pytest -q --cov=acme --cov-report=term-missing${failed ? ' --cov-fail-under=90' : ''}`,
      status: failed ? 'error' : 'completed',
    }
  },
}

const markdownTable: Program = {
  program: 'Markdown table',
  write(sheet) {
    const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
    sheet.line(
      '# Weekly service report',
      '',
      'Written by the nightly job. Every service with its latency and errors.',
      '',
      row(['Service', 'Owner', 'Requests', 'p95 (ms)', 'Errors (%)', 'Objective']),
      row(['---', '---', '---:', '---:', '---:', '---']),
    )
    const name = (): string => `${service(sheet)}-${slug(sheet)}-${sheet.hex(2)}`
    const requests = (): number => sheet.between(10_000, 990_000)
    const odd: readonly (readonly (string | number)[])[] = [
      [name(), person(sheet), requests(), sheet.between(4000, 30_000), '0.03', '**missed**'],
      [name(), person(sheet), requests(), sheet.between(40, 200), '17.40', '**missed**'],
      [name(), '—', requests(), sheet.between(40, 200), '0.02', 'met'],
      [name(), person(sheet), 0, '—', '—', 'no data'],
    ]
    sheet.fill(
      () => {
        const own = name()
        const cells = [own, person(sheet), requests(), sheet.between(40, 200)]
        return named(row([...cells, `0.0${sheet.below(10)}`, 'met']), own)
      },
      sheet.some(odd, sheet.between(1, 3)).map((cells) => exception(row(cells))),
    )
    const total = ['**Total**', '', `**${sheet.between(20_000_000, 90_000_000)}**`]
    sheet.mark('summary', row([...total, '**131**', '**0.09**', '']))
    return { command: 'cat reports/services.md' }
  },
}

const csv: Program = {
  program: 'CSV',
  write(sheet) {
    const aligned = sheet.variant % 2 === 1
    const widths = [14, 14, 26, 12, 10, 12]
    const row = (cells: readonly (string | number)[]): string =>
      aligned ? columns(cells, widths) : cells.join(',')
    sheet.line(row(['invoice', 'date', 'customer', 'amount', 'currency', 'state', 'contact']))
    interface Invoice {
      readonly amount?: string
      readonly currency?: string
      readonly state?: string
      readonly date?: string
    }
    const write = (position: number, invoice: Invoice): readonly [string, string] => {
      const id = `INV-${String(20_000 + position).padStart(6, '0')}`
      const {
        amount = `${sheet.between(10, 900)}.${sheet.between(10, 99)}`,
        currency = 'EUR',
        state = 'paid',
        date = `2026-03-${sheet.between(10, 28)}`,
      } = invoice
      const customer = `${slug(sheet)}-${sheet.hex(2)}`
      return [row([id, date, customer, amount, currency, state, `${person(sheet)}@acme.io`]), id]
    }
    const odd: readonly Invoice[] = [
      { amount: `-${sheet.between(100, 900)}.00` },
      { amount: `${sheet.between(4_000_000, 9_000_000)}.00` },
      { amount: 'NaN' },
      { currency: 'JPY' },
      { state: 'disputed' },
      { date: '1970-01-01' },
    ]
    sheet.fill(
      (position) => named(...write(position, {})),
      sheet
        .some(odd, sheet.between(1, 4))
        .map((invoice) => (position: number) => exception(write(position, invoice)[0])),
    )
    return { command: `${aligned ? 'column -s, -t' : 'cat'} exports/invoices.csv` }
  },
}

const psAux: Program = {
  program: 'ps aux',
  write(sheet) {
    interface Process {
      readonly user?: string
      readonly cpu?: string
      readonly memory?: string
      readonly resident?: number
      readonly state?: string
      readonly command?: string
    }
    const write = (position: number, process: Process): readonly [string, string] => {
      const {
        user = 'app',
        cpu = `0.${sheet.below(9)}`,
        memory = `0.${sheet.below(9)}`,
        resident = sheet.between(20_000, 90_000),
        state = 'Sl',
        command = `node /srv/${service(sheet)}/server.js --shard=${sheet.hex(6)}`,
      } = process
      const id = 900 + position * 3
      const size = resident === 0 ? 0 : resident + 980_000
      return [
        `${user.padEnd(8)} ${left(id, 8)} ${left(cpu, 4)} ${left(memory, 4)} ${left(size, 8)} ${left(resident, 8)} ?        ${state.padEnd(4)} Mar1${sheet.below(5)} ${left(`${sheet.below(40)}:${sheet.between(10, 59)}`, 6)} ${command}`,
        command.slice(command.lastIndexOf('--') + 2),
      ]
    }
    sheet.line(
      'USER         PID %CPU %MEM      VSZ      RSS TTY      STAT START   TIME COMMAND',
      'root           1  0.0  0.0   168940    13120 ?        Ss   Mar10   0:41 /sbin/init',
    )
    const odd: readonly Process[] = [
      { cpu: `${sheet.between(97, 399)}`, state: 'Rl' },
      { memory: `${sheet.between(31, 72)}.4`, resident: sheet.between(21_000_000, 48_000_000) },
      { state: 'Z', resident: 0, memory: '0.0', command: '[node] <defunct>' },
      { state: 'D', command: `pg_dump --format=custom ${service(sheet)}` },
      { user: 'nobody', command: './xmr-worker -o pool.example.net:3333' },
    ]
    sheet.fill(
      (position) => named(...write(position, {})),
      sheet
        .some(odd, sheet.between(1, 3))
        .map((process) => (position: number) => exception(write(position, process)[0])),
    )
    return { command: 'ps aux' }
  },
}

const dfH: Program = {
  program: 'df -h',
  write(sheet) {
    const write = (share: number): readonly [string, string] => {
      const name = `${service(sheet)}-${noun(sheet)}-${sheet.hex(3)}`
      const size = sheet.between(200, 990)
      const used = Math.round((size * share) / 100)
      const source = `nas-${sheet.between(1, 9)}:/export/${name}`
      return [
        `${source.padEnd(44)} ${left(`${size}G`, 5)} ${left(`${used}G`, 5)} ${left(size === used ? '0' : `${size - used}G`, 5)} ${left(`${share}%`, 4)} /mnt/${name}`,
        `/mnt/${name}`,
      ]
    }
    sheet.line(`${'Filesystem'.padEnd(44)}  Size  Used Avail Use% Mounted on`)
    const planted: Row[] = [sheet.between(98, 99), 100]
      .slice(sheet.below(2))
      .map((share) => exception(write(share)[0]))
    const stale = sheet.chance(0.4)
    if (stale)
      planted.push({
        kind: 'failure',
        text: `df: /mnt/${service(sheet)}-${noun(sheet)}: Stale file handle`,
      })
    sheet.fill(() => named(...write(sheet.between(12, 71))), planted)
    return { command: 'df -h 2>&1', status: stale ? 'error' : 'completed' }
  },
}

export const tables: readonly Program[] = [istanbul, pytestCov, markdownTable, csv, psAux, dfH]
