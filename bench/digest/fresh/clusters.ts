import type { Marked, Program, Row } from '../sheet.ts'
import { columns, ip, noun, person, service, slug, timeAt } from '../words.ts'

const helmDiff: Program = {
  program: 'helm diff upgrade',
  write(sheet) {
    const block = (changed: readonly [string, string] | null): Row => {
      const name = `${service(sheet)}-${noun(sheet)}`
      const before = [
        `prod, ${name}, Deployment (apps) has changed:`,
        '  # Source: platform/templates/deployment.yaml',
        '  apiVersion: apps/v1',
        '  kind: Deployment',
        '  metadata:',
        `    name: ${name}`,
        '  spec:',
        `    replicas: ${sheet.between(1, 9)}`,
        '    template:',
        '      spec:',
        '        containers:',
        `          - name: ${name}`,
        `            image: registry.example.com/${name}:${sheet.between(1, 9)}.${sheet.between(0, 40)}.0`,
      ]
      const lines: (string | Marked)[] = [...before]
      if (changed !== null) {
        lines[0] = { kind: 'change', text: before[0]! }
        lines.push({ kind: 'change', text: `-           ${changed[0]}` })
        lines.push({ kind: 'change', text: `+           ${changed[1]}` })
      } else lines[0] = `prod, ${name}, Deployment (apps) is unchanged:`
      lines.push('            resources:', '              limits:', '                memory: 512Mi')
      return { lines, name }
    }
    const changes = sheet.some(
      [
        ['  imagePullPolicy: IfNotPresent', '  imagePullPolicy: Always'],
        ['  readinessProbe: {httpGet: {path: /ready}}', '  readinessProbe: null'],
        ['  value: "postgres://db.prod:5432"', '  value: "postgres://db.staging:5432"'],
        ['  privileged: false', '  privileged: true'],
      ] as const,
      sheet.between(2, 4),
    )
    sheet.fill(() => block(null), changes.map(block))
    return { command: 'helm diff upgrade platform ./charts/platform -f values-prod.yaml' }
  },
}

const kubectlYaml: Program = {
  program: 'kubectl get configmaps yaml',
  write(sheet) {
    const item = (key: string, value: string, isOdd: boolean): Row => {
      const name = `${service(sheet)}-${noun(sheet)}-config`
      const odd = (text: string): string | Marked =>
        isOdd ? { kind: 'exception', text, facts: [value] } : text
      return {
        lines: [
          '- apiVersion: v1',
          '  data:',
          '    LOG_LEVEL: info',
          odd(`    ${key}: ${value}`),
          '    TIMEOUT_SECONDS: "30"',
          '  kind: ConfigMap',
          '  metadata:',
          `    creationTimestamp: "2026-04-${sheet.between(10, 28)}T0${sheet.below(10)}:12:00Z"`,
          isOdd ? { kind: 'exception', text: `    name: ${name}` } : `    name: ${name}`,
          '    namespace: prod',
          `    resourceVersion: "${sheet.between(1_000_000, 9_000_000)}"`,
        ],
        name,
      }
    }
    sheet.line('apiVersion: v1', 'items:')
    sheet.fill(
      () => item('FEATURE_FLAGS', '"on"', false),
      [
        item('FEATURE_FLAGS', '"off"', true),
        item('DATABASE_HOST', 'db-legacy.internal', true),
        item('FEATURE_FLAGS', '""', true),
      ].slice(0, sheet.between(1, 3)),
    )
    sheet.line('kind: List', 'metadata:', '  resourceVersion: ""')
    return { command: 'kubectl get configmaps -n prod -o yaml' }
  },
}

const argo: Program = {
  program: 'argocd app list',
  write(sheet) {
    const widths = [40, 34, 12, 12, 14, 12]
    sheet.line(
      columns(
        ['NAME', 'CLUSTER', 'NAMESPACE', 'PROJECT', 'STATUS', 'HEALTH', 'SYNCPOLICY'],
        widths,
      ),
    )
    const row = (
      status: string,
      health: string,
      policy = 'Auto-Prune',
    ): readonly [string, string] => {
      const name = `argocd/${service(sheet)}-${noun(sheet)}-${sheet.hex(3)}`
      const cluster = `https://k8s-${sheet.pick(['eu', 'us', 'ap'])}.example.com`
      return [
        columns([name, cluster, service(sheet), 'default', status, health, policy], widths),
        name,
      ]
    }
    const planted = sheet
      .some(
        [
          ['OutOfSync', 'Healthy', 'Auto-Prune'],
          ['Synced', 'Degraded', 'Auto-Prune'],
          ['Synced', 'Progressing', 'Auto-Prune'],
          ['Unknown', 'Missing', 'Auto-Prune'],
          ['Synced', 'Healthy', 'Manual'],
        ] as const,
        sheet.between(2, 4),
      )
      .map(([one, two, three]): Row => ({ kind: 'exception', text: row(one, two, three)[0] }))
    sheet.fill(() => {
      const [text, name] = row('Synced', 'Healthy')
      return { lines: [text], name }
    }, planted)
    return { command: 'argocd app list' }
  },
}

const nomad: Program = {
  program: 'nomad node status',
  write(sheet) {
    const widths = [11, 12, 8, 22, 12, 8, 15]
    sheet.line(
      columns(['ID', 'Node Pool', 'DC', 'Name', 'Class', 'Drain', 'Eligibility', 'Status'], widths),
    )
    const row = (drain: string, eligible: string, status: string): readonly [string, string] => {
      const name = `nomad-${service(sheet)}-${sheet.hex(4)}`
      return [
        columns([sheet.hex(8), 'default', 'dc1', name, 'compute', drain, eligible, status], widths),
        name,
      ]
    }
    const planted = sheet
      .some(
        [
          ['true', 'ineligible', 'ready'],
          ['false', 'eligible', 'down'],
          ['false', 'ineligible', 'ready'],
          ['false', 'eligible', 'initializing'],
        ] as const,
        sheet.between(1, 3),
      )
      .map(([one, two, three]): Row => ({ kind: 'exception', text: row(one, two, three)[0] }))
    sheet.fill(() => {
      const [text, name] = row('false', 'eligible', 'ready')
      return { lines: [text], name }
    }, planted)
    return { command: 'nomad node status' }
  },
}

const ceph: Program = {
  program: 'ceph osd tree',
  write(sheet) {
    const widths = [5, 7, 11, 22, 8, 10]
    sheet.line(
      columns(['ID', 'CLASS', 'WEIGHT', 'TYPE NAME', 'STATUS', 'REWEIGHT', 'PRI-AFF'], widths),
    )
    let id = 0
    const osd = (weight: string, status: string, reweight: string): string =>
      columns([` ${id}`, 'ssd', weight, `        osd.${id++}`, status, reweight, '1.00000'], widths)
    const host = (): Row => ({
      lines: [
        columns([`-${id + 3}`, '', '29.10904', `    host stor${id}`], widths),
        ...Array.from({ length: 8 }, () => osd('3.63869', 'up', '1.00000')),
      ],
    })
    const planted = sheet.some(
      [
        ['3.63869', 'down', '0'],
        ['3.63869', 'up', '0.65002'],
        ['7.27739', 'up', '1.00000'],
      ] as const,
      sheet.between(1, 3),
    )
    sheet.fill(
      host,
      planted.map(
        ([weight, status, reweight]) =>
          (): Row => ({ kind: 'exception', text: osd(weight, status, reweight) }),
      ),
    )
    return { command: 'ceph osd tree' }
  },
}

const composeLogs: Program = {
  program: 'docker compose logs',
  write(sheet) {
    const names = ['web-1', 'worker-1', 'worker-2', 'db-1', 'cache-1']
    const says = (who: string, text: string): string => `${who.padEnd(10)} | ${text}`
    const usual = (position: number): Row => {
      const time = timeAt(position, 1)
      return says(
        sheet.pick(names),
        sheet.pick([
          `2026-05-02T${time}Z processed ${noun(sheet)} ${sheet.between(1000, 9999)} in ${sheet.between(2, 60)}ms`,
          `2026-05-02T${time}Z GET /${noun(sheet)}s/${sheet.between(1, 900)} 200 ${sheet.between(2, 60)}ms`,
          `2026-05-02 ${time}.231 UTC [41] LOG:  checkpoint complete: wrote ${sheet.between(10, 90)} buffers`,
        ]),
      )
    }
    const planted: Row[] = [
      {
        kind: 'failure',
        text: says(
          'db-1',
          `2026-05-02 07:01:09.118 UTC [77] ERROR:  relation "${noun(sheet)}s" does not exist at character 15`,
        ),
      },
      {
        kind: 'failure',
        text: says(
          'worker-2',
          `TypeError: Cannot read properties of undefined (reading '${noun(sheet)}')`,
        ),
      },
      { kind: 'exit', text: 'worker-2 exited with code 137' },
      {
        kind: 'warning',
        text: says(
          'cache-1',
          '1:M 02 May 2026 07:00:12.001 # WARNING overcommit_memory is set to 0!',
        ),
      },
      {
        kind: 'exception',
        text: says(
          'web-1',
          `2026-05-02T07:02:00Z restarting after configuration change of ${service(sheet)}`,
        ),
      },
    ]
    sheet.fill(usual, sheet.some(planted, sheet.between(2, 5)))
    return { command: 'docker compose logs --no-color' }
  },
}

const dockerStats: Program = {
  program: 'docker stats',
  write(sheet) {
    const widths = [15, 30, 9, 25, 9, 19, 18]
    sheet.line(
      columns(
        [
          'CONTAINER ID',
          'NAME',
          'CPU %',
          'MEM USAGE / LIMIT',
          'MEM %',
          'NET I/O',
          'BLOCK I/O',
          'PIDS',
        ],
        widths,
      ),
    )
    const row = (cpu: number, memory: number, pids: number): readonly [string, string] => {
      const name = `${service(sheet)}-${noun(sheet)}-${sheet.below(9)}`
      return [
        columns(
          [
            sheet.hex(12),
            name,
            `${cpu.toFixed(2)}%`,
            `${memory}MiB / 2GiB`,
            `${((memory / 2048) * 100).toFixed(2)}%`,
            `${sheet.between(1, 900)}kB / ${sheet.between(1, 900)}kB`,
            `${sheet.between(1, 90)}MB / 0B`,
            pids,
          ],
          widths,
        ),
        name,
      ]
    }
    const small = (): number => sheet.between(1, 400) / 100
    const planted: Row[] = [
      { kind: 'exception', text: row(398.12, 210, 22)[0] },
      { kind: 'exception', text: row(small(), 2031, 21)[0] },
      { kind: 'exception', text: row(small(), 180, 4096)[0] },
    ]
    sheet.fill(
      () => {
        const [text, name] = row(small(), sheet.between(90, 260), sheet.between(8, 30))
        return { lines: [text], name }
      },
      sheet.some(planted, sheet.between(1, 3)),
    )
    return { command: 'docker stats --no-stream' }
  },
}

const packer: Program = {
  program: 'packer build',
  write(sheet) {
    const source = 'amazon-ebs.base'
    sheet.line(`${source}: output will be in this color.`, '')
    const usual = (): Row =>
      sheet.pick([
        `    ${source}: Get:${sheet.between(1, 300)} http://archive.ubuntu.com/ubuntu jammy/main amd64 lib${noun(sheet)}${sheet.below(9)} amd64 ${sheet.below(9)}.${sheet.below(40)} [${sheet.between(9, 900)} kB]`,
        `    ${source}: Unpacking lib${noun(sheet)}${sheet.below(9)}:amd64 (${sheet.below(9)}.${sheet.below(40)}) ...`,
        `    ${source}: Setting up lib${noun(sheet)}${sheet.below(9)}:amd64 (${sheet.below(9)}.${sheet.below(40)}) ...`,
      ])
    sheet.fill(usual, [
      {
        kind: 'failure',
        text: `==> ${source}: E: Package 'lib${slug(sheet)}' has no installation candidate`,
      },
      {
        kind: 'exception',
        text: `==> ${source}: Provisioning with shell script: scripts/${noun(sheet)}.sh`,
      },
      {
        kind: 'warning',
        text: `    ${source}: W: Some index files failed to download. They have been ignored, or old ones used instead.`,
      },
    ])
    sheet.mark(
      'exit',
      `==> ${source}: Script exited with non-zero exit status: 100. Allowed exit codes are: [0]`,
    )
    sheet.line(`==> ${source}: Terminating the source AWS instance...`)
    sheet.mark(
      'failure',
      `Build '${source}' errored after 4 minutes 11 seconds: Script exited with non-zero exit status: 100`,
    )
    sheet.line('', '==> Wait completed after 4 minutes 11 seconds')
    sheet.mark('summary', '==> Builds finished but no artifacts were created.')
    return { command: 'packer build base.pkr.hcl', status: 'error' }
  },
}

const consul: Program = {
  program: 'consul members',
  write(sheet) {
    const widths = [28, 24, 9, 9, 11, 10, 6, 11]
    sheet.line(
      columns(
        ['Node', 'Address', 'Status', 'Type', 'Build', 'Protocol', 'DC', 'Partition', 'Segment'],
        widths,
      ),
    )
    const row = (status: string, build: string, type = 'client'): readonly [string, string] => {
      const name = `${service(sheet)}-${person(sheet)}-${sheet.hex(3)}`
      return [
        columns(
          [name, `${ip(sheet)}:8301`, status, type, build, '2', 'dc1', 'default', '<default>'],
          widths,
        ),
        name,
      ]
    }
    const planted = sheet.some(
      [
        ['failed', '1.17.2', 'client'],
        ['left', '1.17.2', 'client'],
        ['alive', '1.12.0', 'client'],
        ['alive', '1.17.2', 'server'],
      ] as const,
      sheet.between(2, 4),
    )
    sheet.fill(
      () => {
        const [text, name] = row('alive', '1.17.2')
        return { lines: [text], name }
      },
      planted.map(
        ([one, two, three]): Row => ({ kind: 'exception', text: row(one, two, three)[0] }),
      ),
    )
    return { command: 'consul members -detailed' }
  },
}

export const clusters: readonly Program[] = [
  helmDiff,
  kubectlYaml,
  argo,
  nomad,
  ceph,
  composeLogs,
  dockerStats,
  packer,
  consul,
]
