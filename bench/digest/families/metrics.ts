import type { Program, Row } from '../sheet.ts'
import { ip, noun, service, services, timeAt } from '../words.ts'

const exception = (text: string): Row => ({ kind: 'exception', text })
const right = (value: string | number, width: number): string => String(value).padStart(width)

const seriesPerMetric = 25

const prometheus: Program = {
  program: 'Prometheus metrics',
  write(sheet) {
    const route = (): string => `/v1/${noun(sheet)}s/${noun(sheet)}`
    const endings = [
      'request_errors_total',
      'messages_dropped_total',
      'connection_timeouts_total',
      'write_failures_total',
    ]
    const counterAt = (position: number): string => {
      const metric = Math.floor(position / seriesPerMetric)
      const owner = services[Math.floor(metric / endings.length) % services.length]
      return `${owner}_${endings[metric % endings.length]}`
    }
    const heading = (metric: string, type: string): readonly string[] => [
      `# HELP ${metric} ${metric.replace(/_(total|seconds_sum)$/, '').replaceAll('_', ' ')}.`,
      `# TYPE ${metric} ${type}`,
    ]
    const counter = (position: number): readonly string[] =>
      position % seriesPerMetric === 0 ? heading(counterAt(position), 'counter') : []
    sheet.line(
      ...heading('process_start_time_seconds', 'gauge'),
      `process_start_time_seconds ${1_773_400_000 + sheet.below(90_000)}`,
      ...heading('http_request_duration_seconds', 'summary'),
    )
    sheet.fill(
      () =>
        `http_request_duration_seconds_sum{service="${service(sheet)}",route="${route()}"} ${sheet.between(100, 9000) / 1000}`,
      [],
      0.3,
    )
    sheet.fill(
      (position) => {
        const name = route()
        const series = `${counterAt(position)}{method="GET",route="${name}"} 0`
        return { lines: [...counter(position), series], name }
      },
      Array.from({ length: sheet.between(1, 4) }, () => (position: number): Row => {
        const text = `${counterAt(position)}{method="GET",route="${route()}"} ${sheet.between(3, 48_000)}`
        return { lines: [...counter(position), { kind: 'exception', text }] }
      }),
    )
    return { command: 'curl -s localhost:9090/metrics' }
  },
}

const vmstat: Program = {
  program: 'vmstat',
  write(sheet) {
    const heading = [
      'procs -----------memory---------- ---swap-- -----io---- -system-- -------cpu-------',
      ' r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st gu',
    ]
    const row = (values: readonly number[]): string => {
      const widths = [2, 2, 6, 6, 6, 6, 4, 4, 5, 5, 4, 4, 2, 2, 2, 2, 2, 2]
      return values.map((value, index) => right(value, widths[index]!)).join(' ')
    }
    const usual = (): number[] => {
      const busy = sheet.between(2, 12)
      return [
        sheet.between(0, 3),
        0,
        0,
        sheet.between(712_000, 799_000),
        20_480,
        sheet.between(610_000, 640_000),
        0,
        0,
        sheet.below(40),
        sheet.between(10, 190),
        sheet.between(900, 1900),
        sheet.between(1200, 3900),
        busy,
        2,
        98 - busy,
        0,
        0,
        0,
      ]
    }
    const changed = (changes: Readonly<Record<number, number>>): string =>
      row(usual().map((value, index) => changes[index] ?? value))
    const odd = [
      // Memory is swapped out.
      changed({ 1: 14, 2: 918_120, 3: 11_204, 6: 4120, 7: 9877, 12: 3, 13: 9, 14: 6, 15: 82 }),
      // All processors wait for the disk.
      changed({ 1: 31, 8: 88_120, 9: 64_004, 12: 2, 13: 3, 14: 1, 15: 94 }),
      // More runs than there are processors.
      changed({ 0: 64, 11: 91_022, 12: 91, 13: 9, 14: 0 }),
      // The host takes the time away.
      changed({ 12: 20, 13: 4, 14: 15, 16: 61 }),
    ]
    sheet.line(...heading)
    sheet.fill(
      (position) => (position % 40 === 39 ? { lines: [...heading, row(usual())] } : row(usual())),
      sheet.some(odd, sheet.between(1, 3)).map(exception),
    )
    return { command: 'timeout 1h vmstat 1' }
  },
}

const iostat: Program = {
  program: 'iostat',
  write(sheet) {
    const disks = ['nvme0n1', 'nvme1n1', 'sda', 'sdb', 'sdc', 'sdd']
    const heading =
      'Device            r/s     rkB/s   r_await     w/s     wkB/s   w_await  aqu-sz  %util'
    const disk = (name: string, busy: boolean): string => {
      const tenths = (least: number, most: number): string =>
        (sheet.between(least * 100, most * 100) / 100).toFixed(2)
      const cells = busy
        ? [tenths(900, 2000), tenths(40_000, 90_000), tenths(180, 900), tenths(400, 900)]
        : [tenths(0, 20), tenths(0, 400), tenths(0, 2), tenths(1, 40)]
      const more = busy
        ? [tenths(20_000, 60_000), tenths(300, 2000), tenths(40, 200), tenths(98, 100)]
        : [tenths(10, 900), tenths(0, 3), tenths(0, 1), tenths(0, 9)]
      const widths = [8, 9, 9, 7, 9, 9, 7, 6]
      const values = [...cells, ...more].map((cell, index) => right(cell, widths[index]!))
      return `${name.padEnd(13)}${values.join(' ')}`
    }
    const block = (position: number, busyDisk: string | null): Row => ({
      lines: [
        `03/14/2026 ${timeAt(position, 1)}`,
        heading,
        ...disks.map((name) => {
          const text = disk(name, name === busyDisk)
          return name === busyDisk ? { kind: 'exception' as const, text } : text
        }),
        '',
      ],
    })
    sheet.line('Linux 6.8.0-31-generic (build-7) \t03/14/2026 \t_x86_64_\t(16 CPU)', '')
    sheet.fill(
      (position) => block(position, null),
      Array.from(
        { length: sheet.between(1, 3) },
        () =>
          (position: number): Row =>
            block(position, sheet.pick(disks)),
      ),
    )
    return { command: 'timeout 10m iostat -dxt 1' }
  },
}

const sockets: Program = {
  program: 'ss',
  write(sheet) {
    const [established, closed] = [sheet.between(200, 3000), sheet.between(3000, 30_000)]
    sheet.line(`Total: ${established + 412}`)
    sheet.mark(
      'summary',
      `TCP:   ${established + closed} (estab ${established}, closed ${closed}, orphaned ${sheet.between(0, 9)}, timewait ${closed - 12})`,
    )
    sheet.line(
      '',
      'Transport Total     IP        IPv6',
      'RAW\t  1         0         1        ',
      `UDP\t  ${sheet.between(10, 20)}        8         4        `,
      `TCP\t  ${String(established).padEnd(10)}${String(established - 12).padEnd(10)}12       `,
      '',
      'State      Recv-Q Send-Q     Local Address:Port          Peer Address:Port  Process',
    )
    const local = ip(sheet)
    const row = (state: string, received: number, sent: number): readonly [string, string] => {
      const peer = `${ip(sheet)}:${sheet.between(30_000, 60_999)}`
      return [
        `${state.padEnd(10)} ${String(received).padEnd(6)} ${String(sent).padEnd(6)} ${right(`${local}:8080`, 24)} ${right(peer, 26)}`,
        peer,
      ]
    }
    const odd: readonly (readonly [string, number, number])[] = [
      ['CLOSE-WAIT', 1, 0],
      ['SYN-SENT', 0, 1],
      ['ESTAB', sheet.between(90_000, 900_000), 0],
      ['ESTAB', 0, sheet.between(90_000, 900_000)],
      ['LAST-ACK', 0, 1],
    ]
    sheet.fill(
      () => {
        const [text, name] = row('ESTAB', 0, 0)
        return { lines: [text], name }
      },
      sheet.some(odd, sheet.between(1, 4)).map((cells) => exception(row(...cells)[0])),
    )
    return { command: 'ss -s; ss -tan' }
  },
}

const netstat: Program = {
  program: 'netstat -i',
  write(sheet) {
    const row = (name: string, errors: readonly number[], flags = 'BMRU'): string => {
      const [failedIn, droppedIn, failedOut, droppedOut] = errors
      const count = (): number => sheet.between(10_000, 90_000_000)
      return `${name.padEnd(11)}1500 ${right(count(), 9)} ${right(failedIn!, 6)} ${right(droppedIn!, 6)} 0      ${right(count(), 9)} ${right(failedOut!, 6)} ${right(droppedOut!, 6)}      0 ${flags}`
    }
    const card = (): string => `veth${sheet.hex(6)}`
    sheet.line(
      'Kernel Interface table',
      'Iface       MTU     RX-OK RX-ERR RX-DRP RX-OVR     TX-OK TX-ERR TX-DRP TX-OVR Flg',
      row('docker0', [0, 0, 0, 0]),
    )
    const odd = [
      row(card(), [sheet.between(12, 9000), 0, 0, 0]),
      row(card(), [0, sheet.between(12, 90_000), 0, 0]),
      row(card(), [0, 0, sheet.between(12, 9000), sheet.between(12, 9000)]),
      row(card(), [0, 0, 0, 0], 'BM'),
    ]
    sheet.fill(
      () => {
        const name = card()
        return { lines: [row(name, [0, 0, 0, 0])], name }
      },
      sheet.some(odd, sheet.between(1, 3)).map(exception),
    )
    return { command: 'netstat -i' }
  },
}

const top: Program = {
  program: 'top -b',
  write(sheet) {
    const zombies = sheet.below(2)
    const load = sheet.between(1800, 9000) / 100
    sheet.mark(
      'summary',
      `top - 06:12:41 up 12 days,  3:44,  1 user,  load average: ${load.toFixed(2)}, ${(load * 0.6).toFixed(2)}, ${(load * 0.2).toFixed(2)}`,
    )
    const sleeping = sheet.between(900, 2900)
    const tasks = `Tasks: ${sleeping + 4 + zombies} total,   4 running, ${sleeping} sleeping,   0 stopped,   ${zombies} zombie`
    if (zombies > 0) sheet.mark('summary', tasks)
    else sheet.line(tasks)
    sheet.mark(
      'summary',
      `%Cpu(s): ${sheet.between(61, 79)}.2 us,  9.1 sy,  0.0 ni,  2.4 id,  ${sheet.between(3, 9)}.3 wa,  0.0 hi,  0.2 si,  0.0 st`,
    )
    sheet.mark(
      'summary',
      `MiB Mem :  64215.4 total,    ${sheet.between(210, 980)}.1 free,  60120.8 used,   3108.5 buff/cache`,
    )
    sheet.line(
      'MiB Swap:      0.0 total,      0.0 free,      0.0 used.   2114.9 avail Mem ',
      '',
      '    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND',
    )
    interface Process {
      readonly state?: string
      readonly cpu?: string
      readonly memory?: string
      readonly resident?: string
      readonly command?: string
    }
    const write = (position: number, process: Process): readonly [string, string] => {
      const {
        state = 'S',
        cpu = `0.${sheet.below(8)}`,
        memory = '0.1',
        resident = `${sheet.between(20_000, 90_000)}`,
        command = `${service(sheet)}-${sheet.hex(5)}`,
      } = process
      const id = 990_000 - position * 7
      return [
        `${right(id, 7)} app       20   0 ${right(sheet.between(900_000, 990_000), 7)} ${right(resident, 6)}  ${right(sheet.between(8000, 20_000), 5)} ${state} ${right(cpu, 5)} ${right(memory, 5)} ${right(`${sheet.below(90)}:${sheet.between(10, 59)}.${sheet.between(10, 99)}`, 9)} ${command}`,
        command,
      ]
    }
    const odd: Process[] = [
      { cpu: `${sheet.between(180, 798)}.3`, state: 'R' },
      { memory: `${sheet.between(31, 70)}.8`, resident: `${sheet.between(20, 45)}.1g` },
      { state: 'D', command: `pg_dump-${sheet.hex(4)}` },
    ]
    const planted = [...sheet.some(odd, sheet.between(1, 3))]
    if (zombies > 0) planted.push({ state: 'Z', cpu: '0.0', memory: '0.0', resident: '0' })
    sheet.fill(
      (position) => {
        const [text, name] = write(position, {})
        return { lines: [text], name }
      },
      planted.map((process) => (position: number) => exception(write(position, process)[0])),
    )
    return { command: 'top -b -n 1 -o PID' }
  },
}

export const metrics: readonly Program[] = [prometheus, vmstat, iostat, sockets, netstat, top]
