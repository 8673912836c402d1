import type { Program, Row } from '../sheet.ts'
import { columns, ip, noun, person, service, slug, sourceFile, timeAt } from '../words.ts'

const units: Program = {
  program: 'systemctl list-units',
  write(sheet) {
    const widths = [2, 52, 8, 12, 12]
    sheet.line(columns(['', 'UNIT', 'LOAD', 'ACTIVE', 'SUB', 'DESCRIPTION'], widths))
    const row = (
      mark: string,
      load: string,
      active: string,
      sub: string,
    ): readonly [string, string] => {
      const name = `${service(sheet)}-${noun(sheet)}@${sheet.hex(3)}.service`
      return [
        columns([mark, name, load, active, sub, `The ${service(sheet)} ${noun(sheet)}`], widths),
        name,
      ]
    }
    sheet.fill(() => {
      const [text, name] = row('', 'loaded', 'active', 'running')
      return { lines: [text], name }
    }, [
      { kind: 'failure', text: row('●', 'loaded', 'failed', 'failed')[0] },
      { kind: 'exception', text: row('●', 'not-found', 'inactive', 'dead')[0] },
      { kind: 'exception', text: row('', 'loaded', 'activating', 'auto-restart')[0] },
      { kind: 'exception', text: row('', 'loaded', 'active', 'exited')[0] },
    ])
    sheet.line('', 'LOAD   = Reflects whether the unit definition was properly loaded.')
    sheet.mark('summary', `${sheet.between(120, 400)} loaded units listed.`)
    return { command: 'systemctl list-units --all --no-pager' }
  },
}

const lsof: Program = {
  program: 'lsof',
  write(sheet) {
    const widths = [11, 8, 12, 7, 7, 10, 11, 10]
    sheet.line(
      columns(
        ['COMMAND', 'PID', 'USER', 'FD', 'TYPE', 'DEVICE', 'SIZE/OFF', 'NODE', 'NAME'],
        widths,
      ),
    )
    const row = (type: string, size: number, name: string): string =>
      columns(
        [
          'java',
          2211,
          'app',
          `${sheet.between(3, 999)}r`,
          type,
          '259,1',
          size,
          sheet.between(100_000, 999_999),
          name,
        ],
        widths,
      )
    sheet.fill(
      () =>
        row('REG', sheet.between(1000, 90_000), `/opt/app/lib/${noun(sheet)}-${noun(sheet)}.jar`),
      [
        {
          kind: 'exception',
          text: row('REG', 48_112_004_096, `/var/log/app/${noun(sheet)}.log (deleted)`),
        },
        {
          kind: 'exception',
          text: row('IPv4', 0, `TCP ${ip(sheet)}:41822->${ip(sheet)}:5432 (CLOSE_WAIT)`),
        },
        { kind: 'exception', text: row('FIFO', 0, 'pipe') },
      ],
    )
    return { command: 'lsof -p 2211' }
  },
}

const strace: Program = {
  program: 'strace',
  write(sheet) {
    const usual = (): Row =>
      sheet.pick([
        `read(${sheet.between(3, 20)}, "${sheet.hex(16)}"..., 4096) = 4096`,
        `openat(AT_FDCWD, "/usr/share/${noun(sheet)}/${noun(sheet)}.conf", O_RDONLY|O_CLOEXEC) = ${sheet.between(3, 20)}`,
        `fstat(${sheet.between(3, 20)}, {st_mode=S_IFREG|0644, st_size=${sheet.between(100, 9000)}, ...}) = 0`,
        `close(${sheet.between(3, 20)}) = 0`,
      ])
    sheet.fill(usual, [
      {
        kind: 'failure',
        text: `openat(AT_FDCWD, "/etc/${service(sheet)}/${noun(sheet)}.key", O_RDONLY) = -1 EACCES (Permission denied)`,
      },
      {
        kind: 'failure',
        text: `connect(7, {sa_family=AF_INET, sin_port=htons(6379), sin_addr=inet_addr("${ip(sheet)}")}, 16) = -1 ECONNREFUSED (Connection refused)`,
      },
      {
        kind: 'exception',
        text: `--- SIGPIPE {si_signo=SIGPIPE, si_code=SI_USER, si_pid=4411, si_uid=1000} ---`,
      },
    ])
    sheet.mark('exit', '+++ exited with 3 +++')
    return { command: 'strace -f ./server', status: 'error' }
  },
}

const perf: Program = {
  program: 'perf report',
  write(sheet) {
    sheet.line(
      "# Samples: 118K of event 'cycles'",
      '# Overhead  Command  Shared Object        Symbol',
      '# ........  .......  ...................  ......................',
    )
    const row = (share: number, what = 'libcore.so'): string =>
      `${`${share.toFixed(2)}%`.padStart(10)}  server   ${what.padEnd(19)}  [.] ${noun(sheet)}_${noun(sheet)}_${sheet.hex(3)}`
    sheet.mark('exception', row(38.41))
    sheet.mark('exception', row(11.02, '[kernel.kallsyms]'))
    sheet.fill(
      () => row(sheet.between(1, 40) / 100),
      [{ kind: 'exception', text: row(0.11, '[unknown]') }],
    )
    return { command: 'perf report --stdio' }
  },
}

const dmesg: Program = {
  program: 'dmesg',
  write(sheet) {
    const at = (position: number): string => `[${(position * 1.37 + 12).toFixed(6).padStart(13)}]`
    const usual = (position: number): Row =>
      `${at(position)} ${sheet.pick([`usb 1-${sheet.below(9)}: new high-speed USB device number ${sheet.between(2, 90)} using xhci_hcd`, `audit: type=1400 audit(17${sheet.between(10_000_000, 99_999_999)}.${sheet.below(999)}:${sheet.below(999)}): apparmor="STATUS"`, `IPv6: ADDRCONF(NETDEV_CHANGE): veth${sheet.hex(7)}: link becomes ready`])}`
    sheet.fill(usual, [
      (position) => ({
        kind: 'failure',
        text: `${at(position)} Out of memory: Killed process ${sheet.between(1000, 9000)} (${service(sheet)}) total-vm:8112004kB, anon-rss:7911220kB`,
      }),
      (position) => ({
        kind: 'failure',
        text: `${at(position)} blk_update_request: I/O error, dev sdb, sector ${sheet.between(100_000, 900_000)}`,
      }),
      (position) => ({
        kind: 'exception',
        text: `${at(position)} EXT4-fs (sdb1): Remounting filesystem read-only`,
      }),
      (position) => ({
        kind: 'exception',
        text: `${at(position)} mlx5_core 0000:17:00.0 eth2: Link down`,
      }),
    ])
    return { command: 'dmesg' }
  },
}

const iptables: Program = {
  program: 'iptables -L -v',
  write(sheet) {
    sheet.line(
      'Chain INPUT (policy ACCEPT 118M packets, 91G bytes)',
      ' pkts bytes target     prot opt in     out     source               destination',
    )
    const row = (target: string, source: string, more: string): string =>
      `${String(sheet.between(10, 900)).padStart(5)} ${`${sheet.between(10, 900)}K`.padStart(5)} ${target.padEnd(10)} tcp  --  any    any     ${source.padEnd(20)} anywhere             ${more}`
    sheet.fill(
      () => row('ACCEPT', ip(sheet), `tcp dpt:${sheet.pick([443, 8443])}`),
      [
        { kind: 'exception', text: row('DROP', ip(sheet), 'tcp dpt:5432') },
        { kind: 'exception', text: row('ACCEPT', 'anywhere', 'tcp dpt:ssh') },
        { kind: 'exception', text: row('REJECT', ip(sheet), 'reject-with icmp-port-unreachable') },
      ],
    )
    sheet.line('', 'Chain FORWARD (policy DROP 0 packets, 0 bytes)')
    return { command: 'iptables -L -v' }
  },
}

const squeue: Program = {
  program: 'squeue',
  write(sheet) {
    const widths = [12, 11, 22, 10, 4, 12, 7]
    sheet.line(
      columns(
        ['JOBID', 'PARTITION', 'NAME', 'USER', 'ST', 'TIME', 'NODES', 'NODELIST(REASON)'],
        widths,
      ),
    )
    const row = (
      state: string,
      time: string,
      nodes: string,
      count = 1,
    ): readonly [string, string] => {
      const id = String(sheet.between(800_000, 899_999))
      return [
        columns(
          [id, 'gpu', `train-${slug(sheet)}`, person(sheet), state, time, count, nodes],
          widths,
        ),
        id,
      ]
    }
    sheet.fill(() => {
      const [text, name] = row(
        'R',
        `${sheet.between(1, 9)}:${sheet.between(10, 59)}:11`,
        `gpu${sheet.between(10, 99)}`,
      )
      return { lines: [text], name }
    }, [
      { kind: 'exception', text: row('PD', '0:00', '(QOSMaxGRESPerUser)')[0] },
      { kind: 'exception', text: row('CG', '2:01:55', 'gpu14')[0] },
      { kind: 'exception', text: row('R', '6-22:10:44', 'gpu31')[0] },
      { kind: 'exception', text: row('PD', '0:00', '(DependencyNeverSatisfied)')[0] },
    ])
    return { command: 'squeue' }
  },
}

const tcpdump: Program = {
  program: 'tcpdump',
  write(sheet) {
    const peer = `${ip(sheet)}.5432`
    const own = `${ip(sheet)}.41822`
    const packet = (position: number, flags: string, more: string): string =>
      `${timeAt(position, 1)}.${sheet.between(100_000, 999_999)} IP ${sheet.chance(0.5) ? `${own} > ${peer}` : `${peer} > ${own}`}: Flags [${flags}], ${more}`
    sheet.fill(
      (position) =>
        packet(
          position,
          sheet.pick(['.', 'P.']),
          `seq ${position * 1448}:${(position + 1) * 1448}, ack ${sheet.between(1, 99_999)}, win 501, length 1448`,
        ),
      [
        (position) => ({
          kind: 'exception',
          text: packet(position, 'R.', `seq ${position}, ack 1, win 0, length 0`),
        }),
        (position) => ({
          kind: 'exception',
          text: `${timeAt(position, 1)}.118204 ARP, Request who-has 10.0.0.1 tell ${ip(sheet)}, length 28`,
        }),
        (position) => ({
          kind: 'exception',
          text: packet(position, 'P.', 'seq 1:1449, ack 1, win 0, length 1448'),
        }),
      ],
    )
    sheet.mark('summary', '1204 packets captured')
    sheet.mark('exception', '37 packets dropped by kernel')
    return { command: 'tcpdump -nn -r dump.pcap' }
  },
}

const rsync: Program = {
  program: 'rsync itemized',
  write(sheet) {
    sheet.line('sending incremental file list')
    const name = (): string => `${sourceFile(sheet, sheet.pick(['js', 'map', 'css']))}`
    sheet.fill(
      () => `>f+++++++++ dist/${name()}`,
      [
        { kind: 'change', text: `*deleting   dist/${name()}` },
        { kind: 'change', text: `.f...p..... dist/bin/${noun(sheet)}` },
        {
          kind: 'failure',
          text: `rsync: [sender] send_files failed to open "/repo/dist/${noun(sheet)}.key": Permission denied (13)`,
        },
        { kind: 'change', text: `*deleting   dist/${name()}` },
      ],
    )
    sheet.line('')
    sheet.mark('summary', 'sent 48,112,004 bytes  received 18,204 bytes  3,208,681.20 bytes/sec')
    sheet.mark(
      'failure',
      'rsync error: some files/attrs were not transferred (see previous errors) (code 23) at main.c(1336) [sender=3.2.7]',
    )
    return { command: 'rsync -ai --delete dist/ web:/srv/app/', status: 'error' }
  },
}

const haproxy: Program = {
  program: 'haproxy stats CSV',
  write(sheet) {
    sheet.line(
      '# pxname,svname,qcur,qmax,scur,smax,stot,status,weight,chkfail,lastchg,check_status',
    )
    const row = (status: string, check: string, queue = 0): readonly [string, string] => {
      const name = `${service(sheet)}-${sheet.hex(4)}`
      return [
        `be_${service(sheet)},${name},${queue},${sheet.below(9)},${sheet.between(1, 40)},${sheet.between(40, 90)},${sheet.between(10_000, 90_000)},${status},100,${sheet.below(3)},${sheet.between(1000, 90_000)},${check}`,
        name,
      ]
    }
    sheet.fill(() => {
      const [text, name] = row('UP', 'L7OK')
      return { lines: [text], name }
    }, [
      { kind: 'exception', text: row('DOWN', 'L4CON')[0] },
      { kind: 'exception', text: row('MAINT', '')[0] },
      { kind: 'exception', text: row('UP', 'L7OK', 412)[0] },
      { kind: 'exception', text: row('UP 1/2', 'L7STS')[0] },
    ])
    return { command: "echo 'show stat' | socat stdio /run/haproxy.sock" }
  },
}

const postfix: Program = {
  program: 'mail log',
  write(sheet) {
    const line = (
      position: number,
      status: string,
      said: string,
      delay = sheet.between(1, 9),
    ): string =>
      `Jun  1 ${timeAt(position)} mx1 postfix/smtp[${sheet.between(1000, 9999)}]: ${sheet.hex(10).toUpperCase()}: to=<${person(sheet)}@example.com>, relay=mail.example.com[${ip(sheet)}]:25, delay=0.${delay}, dsn=${status === 'sent' ? '2.0.0' : '5.7.1'}, status=${status} (${said})`
    sheet.fill(
      (position) => line(position, 'sent', '250 2.0.0 Ok: queued'),
      [
        (position) => ({
          kind: 'failure',
          text: line(position, 'bounced', '554 5.7.1 Service unavailable; client host blocked'),
        }),
        (position) => ({
          kind: 'exception',
          text: line(position, 'deferred', '450 4.2.1 mailbox temporarily over quota'),
        }),
        (position) => ({
          kind: 'warning',
          text: `Jun  1 ${timeAt(position)} mx1 postfix/smtpd[811]: warning: hostname ${slug(sheet)}.example.net does not resolve to address ${ip(sheet)}`,
        }),
      ],
    )
    return { command: 'cat /var/log/mail.log' }
  },
}

const tar: Program = {
  program: 'tar tvf',
  write(sheet) {
    const entry = (mode: string, owner: string, size: number, name: string): string =>
      `${mode} ${owner.padEnd(11)} ${String(size).padStart(9)} 2026-05-0${sheet.between(1, 9)} 10:${sheet.between(10, 59)} ${name}`
    sheet.fill(
      () =>
        entry(
          '-rw-r--r--',
          'root/root',
          sheet.between(100, 40_000),
          `app/${sourceFile(sheet, 'js')}`,
        ),
      [
        {
          kind: 'exception',
          text: entry('-rwsr-xr-x', 'root/root', 18_204, `app/bin/${noun(sheet)}`),
        },
        {
          kind: 'exception',
          text: entry('lrwxrwxrwx', 'root/root', 0, `app/${noun(sheet)} -> /etc/${noun(sheet)}`),
        },
        {
          kind: 'exception',
          text: entry('-rw-r--r--', `${person(sheet)}/staff`, 4112, `app/.env`),
        },
        {
          kind: 'exception',
          text: entry('-rw-r--r--', 'root/root', 912_004_811, `app/${noun(sheet)}.core`),
        },
      ],
    )
    return { command: 'tar tvf app.tar.gz' }
  },
}

const sar: Program = {
  program: 'sar -u',
  write(sheet) {
    sheet.line(
      'Linux 6.1.0 (web-3)  06/01/2026  _x86_64_  (8 CPU)',
      '',
      '06:00:00        CPU     %user     %nice   %system   %iowait    %steal     %idle',
    )
    const row = (position: number, user: number, wait: number): string => {
      const system = sheet.between(100, 300) / 100
      return `${timeAt(position, 60)}        all  ${user.toFixed(2).padStart(8)}      0.00  ${system.toFixed(2).padStart(8)}  ${wait.toFixed(2).padStart(8)}      0.00  ${(100 - user - wait - system).toFixed(2).padStart(8)}`
    }
    const low = (): number => sheet.between(500, 1400) / 100
    sheet.fill(
      (position) => row(position, low(), sheet.between(1, 60) / 100),
      [
        (position) => ({ kind: 'exception', text: row(position, 91.14, 0.2) }),
        (position) => ({ kind: 'exception', text: row(position, low(), 64.81) }),
        (position) => ({
          kind: 'exception',
          text: `${timeAt(position, 60)}  LINUX RESTART  (8 CPU)`,
        }),
      ],
    )
    sheet.mark(
      'summary',
      'Average:        all     10.11      0.00      2.02      0.91      0.00     86.96',
    )
    return { command: 'sar -u' }
  },
}

export const systems: readonly Program[] = [
  units,
  lsof,
  strace,
  perf,
  dmesg,
  iptables,
  squeue,
  tcpdump,
  rsync,
  haproxy,
  postfix,
  tar,
  sar,
]
