import type { Program, Row, Sheet } from '../sheet.ts'
import { columns, ip, noun, service, slug, timeAt } from '../words.ts'

const podName = (sheet: Sheet): string =>
  `${service(sheet)}-${noun(sheet)}-${sheet.hex(10)}-${sheet.hex(5)}`

const dockerWidths = [15, 34, 28, 16, 34, 28]

const dockerPs: Program = {
  program: 'docker ps',
  write(sheet) {
    const heading = ['CONTAINER ID', 'IMAGE', 'COMMAND', 'CREATED', 'STATUS', 'PORTS']
    sheet.line(columns([...heading, 'NAMES'], dockerWidths))
    const row = (status: string): readonly [string, string] => {
      const name = `${slug(sheet)}-${sheet.hex(3)}`
      const image = `registry.acme.io/${service(sheet)}:1.${sheet.between(4, 30)}.0`
      const ports = status.startsWith('Up') ? `0.0.0.0:${sheet.between(3000, 9999)}->8080/tcp` : ''
      const start = `"/bin/sh -c ${sheet.pick(['start', 'serve', 'run'])}…"`
      const cells = [sheet.hex(12), image, start, `${sheet.between(2, 6)} days ago`, status, ports]
      return [columns([...cells, name], dockerWidths), name]
    }
    const odd = [
      `Exited (137) ${sheet.between(2, 9)} hours ago`,
      'Exited (1) 4 minutes ago',
      'Restarting (1) 12 seconds ago',
      'Up 3 days (unhealthy)',
      'Dead',
      'Created',
    ]
    const planted = sheet
      .some(odd, sheet.between(1, 4))
      .map((status): Row => ({ kind: 'exception', text: row(status)[0] }))
    sheet.fill(() => {
      const [text, name] = row(`Up ${sheet.between(2, 6)} days`)
      return { lines: [text], name }
    }, planted)
    return { command: 'docker ps -a' }
  },
}

const dockerLogs: Program = {
  program: 'docker logs',
  write(sheet) {
    const name = `${service(sheet)}-1`
    const at = (position: number): string =>
      `2026-03-14T${timeAt(position, 2)}.${sheet.between(100, 999)}Z`
    const planted: ((position: number) => Row)[] = [
      (p) => ({
        kind: 'warning',
        text: `${at(p)} [warn] connection pool is nearly full: 48/50 connections in use`,
      }),
      (p) => ({
        lines: [
          {
            kind: 'failure',
            text: `${at(p)} [fatal] cannot reach postgres at db-2:5432: ECONNREFUSED`,
          },
          { kind: 'exit', text: `${at(p)} worker 7 terminated by signal SIGKILL (out of memory)` },
        ],
      }),
      (p) => ({
        kind: 'change',
        text: `${at(p)} [info] configuration reloaded: max_workers 8 -> 2`,
      }),
      (p) => ({
        kind: 'exception',
        text: `${at(p)} [info] GET /v1/${noun(sheet)}s 200 ${sheet.between(18_000, 59_000)}ms req=${sheet.hex(8)}`,
      }),
    ]
    sheet.fill(
      (p) => {
        const request = sheet.hex(8)
        return {
          lines: [
            `${at(p)} [info] GET /v1/${noun(sheet)}s/${sheet.below(9000)} 200 ${sheet.between(3, 60)}ms req=${request}`,
          ],
          name: `req=${request}`,
        }
      },
      sheet.some(planted, sheet.between(1, 4)),
    )
    return { command: `docker logs ${name} 2>&1` }
  },
}

const dockerBuild: Program = {
  program: 'docker build',
  write(sheet) {
    sheet.line(
      '#0 building with "default" instance using docker driver',
      '#1 [internal] load build definition from Dockerfile',
      '#1 transferring dockerfile: 1.42kB done',
      '#1 DONE 0.0s',
      '#5 [builder 3/9] RUN apt-get update && apt-get install -y build-essential',
    )
    const fails = sheet.chance(0.6)
    const planted: Row[] = [
      {
        kind: 'warning',
        text: '#5 7.412 W: Target Packages (main/binary-amd64/Packages) is configured multiple times',
      },
    ]
    sheet.fill((p) => {
      const seconds = (p * 0.031 + 1).toFixed(3)
      const name = `lib${noun(sheet)}${sheet.between(1, 9)}-${sheet.pick(['dev', 'bin', 'data'])}`
      const text = sheet.pick([
        `#5 ${seconds} Get:${p + 1} http://deb.debian.org/debian bookworm/main amd64 ${name} amd64 ${sheet.between(1, 9)}.${sheet.below(20)}-${sheet.below(5)} [${sheet.between(10, 900)} kB]`,
        `#5 ${seconds} Unpacking ${name} (${sheet.between(1, 9)}.${sheet.below(20)}) ...`,
        `#5 ${seconds} Setting up ${name} (${sheet.between(1, 9)}.${sheet.below(20)}) ...`,
      ])
      return { lines: [text], name }
    }, planted)
    sheet.line('#5 DONE 61.3s', '#6 [builder 4/9] COPY package*.json ./', '#6 DONE 0.1s')
    if (!fails) {
      sheet.line('#14 exporting layers 4.1s done')
      sheet.mark('summary', `#14 naming to docker.io/acme/${service(sheet)}:dev done`)
      return { command: 'docker build --progress=plain -t acme/app:dev .' }
    }
    sheet.line('#7 [builder 5/9] RUN make release')
    sheet.mark(
      'failure',
      '#7 3.114 src/crypto.c:12:10: fatal error: openssl/evp.h: No such file or directory',
    )
    sheet.line('#7 3.114    12 | #include <openssl/evp.h>', '#7 3.115 compilation terminated.')
    sheet.mark(
      'failure',
      '#7 ERROR: process "/bin/sh -c make release" did not complete successfully: exit code: 2',
    )
    sheet.line(
      '------',
      ' > [builder 5/9] RUN make release:',
      '------',
      'Dockerfile:18',
      '--------------------',
    )
    sheet.mark(
      'exit',
      'ERROR: failed to solve: process "/bin/sh -c make release" did not complete successfully: exit code: 2',
    )
    return { command: 'docker build --progress=plain -t acme/app:dev .', status: 'error' }
  },
}

const kubectlPods: Program = {
  program: 'kubectl get pods',
  write(sheet) {
    const wide = sheet.variant % 2 === 0
    const widths = [14, 52, 8, 20, 16, 8, 17, 20]
    const heading = ['NAMESPACE', 'NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE']
    sheet.line(columns(wide ? [...heading, 'IP', 'NODE'] : heading, widths))
    const row = (ready: string, status: string, restarts: string): readonly [string, string] => {
      const name = podName(sheet)
      const cells = [
        sheet.pick(['default', 'prod', 'staging', 'jobs']),
        name,
        ready,
        status,
        restarts,
        `${sheet.between(1, 90)}d`,
      ]
      return [
        columns(wide ? [...cells, ip(sheet), `node-${sheet.between(1, 24)}`] : cells, widths),
        name,
      ]
    }
    const odd: readonly (readonly [string, string, string])[] = [
      ['0/1', 'CrashLoopBackOff', `${sheet.between(20, 400)} (2m ago)`],
      ['0/1', 'ImagePullBackOff', '0'],
      ['0/3', 'Pending', '0'],
      ['1/2', 'Running', '0'],
      ['0/1', 'OOMKilled', '3 (5m ago)'],
      ['0/1', 'Evicted', '0'],
      ['1/1', 'Terminating', '0'],
      ['1/1', 'Running', `${sheet.between(150, 900)} (9s ago)`],
    ]
    const planted = sheet
      .some(odd, sheet.between(1, 5))
      .map((cells): Row => ({ kind: 'exception', text: row(...cells)[0] }))
    sheet.fill(() => {
      const [text, name] = row('1/1', 'Running', '0')
      return { lines: [text], name }
    }, planted)
    return { command: `kubectl get pods -A${wide ? ' -o wide' : ''}` }
  },
}

const kubectlEvents: Program = {
  program: 'kubectl get events',
  write(sheet) {
    const widths = [12, 10, 20, 64]
    sheet.line(columns(['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'], widths))
    const pod = (): string => `pod/${podName(sheet)}`
    const event = (type: string, reason: string, object: string, message: string): string =>
      columns([`${sheet.between(1, 59)}m`, type, reason, object, message], widths)
    const odd: readonly (() => Row)[] = [
      () => ({
        kind: 'warning',
        text: event(
          'Warning',
          'FailedScheduling',
          pod(),
          '0/24 nodes are available: 24 Insufficient memory.',
        ),
      }),
      () => ({
        kind: 'warning',
        text: event('Warning', 'BackOff', pod(), 'Back-off restarting failed container'),
      }),
      () => ({
        kind: 'warning',
        text: event(
          'Warning',
          'Unhealthy',
          pod(),
          'Readiness probe failed: HTTP probe failed with statuscode: 503',
        ),
      }),
      () => ({
        kind: 'exception',
        text: event(
          'Normal',
          'NodeNotReady',
          `node/node-${sheet.between(1, 24)}`,
          'Node status is now: NodeNotReady',
        ),
      }),
      () => ({
        kind: 'exception',
        text: event('Normal', 'Killing', pod(), 'Stopping container app'),
      }),
    ]
    sheet.fill(
      () => {
        const object = pod()
        const [reason, message] = sheet.pick([
          [
            'Scheduled',
            `Successfully assigned prod/${object.slice(4)} to node-${sheet.between(1, 24)}`,
          ],
          [
            'Pulled',
            `Container image "registry.acme.io/${service(sheet)}:1.${sheet.below(30)}.0" already present on machine`,
          ],
          ['Created', 'Created container app'],
          ['Started', 'Started container app'],
        ] as const)
        return { lines: [event('Normal', reason, object, message)], name: object.slice(4) }
      },
      sheet.some(odd, sheet.between(1, 4)).map((row) => row()),
    )
    return { command: 'kubectl get events -n prod --sort-by=.lastTimestamp' }
  },
}

const kubectlDescribe: Program = {
  program: 'kubectl describe',
  write(sheet) {
    const sick = sheet.between(1, 3)
    const odd = sheet
      .some(['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'], sick)
      .map((condition): Row => node(condition))
    function node(sickCondition: string | null): {
      lines: (string | { kind: 'exception'; text: string; facts: string[] })[]
      name: string
    } {
      const name = `node-${sheet.hex(6)}.eu-west-1.internal`
      const condition = (type: string, usual: string, reason: string, message: string) => {
        const isSick = type === sickCondition
        const status = isSick ? (usual === 'True' ? 'Unknown' : 'True') : usual
        const text = `  ${type.padEnd(17)}${status.padEnd(8)}Sat, 14 Mar 2026 0${sheet.below(10)}:12:41 +0000   ${isSick ? `Kubelet${status === 'True' ? `Has${type}` : 'StoppedPostingNodeStatus'}` : reason}   ${isSick ? 'kubelet reports otherwise' : message}`
        return isSick ? { kind: 'exception' as const, text, facts: [name, type, status] } : text
      }
      const labels = `                    kubernetes.io/hostname=${name}`
      return {
        name,
        lines: [
          sickCondition === null
            ? `Name:               ${name}`
            : {
                kind: 'exception',
                text: `Name:               ${name}`,
                facts: [name, sickCondition],
              },
          'Roles:              worker',
          'Labels:             beta.kubernetes.io/arch=amd64',
          labels,
          'Conditions:',
          '  Type             Status  LastHeartbeatTime                 Reason                       Message',
          '  ----             ------  -----------------                 ------                       -------',
          condition(
            'MemoryPressure',
            'False',
            'KubeletHasSufficientMemory',
            'kubelet has sufficient memory available',
          ),
          condition(
            'DiskPressure',
            'False',
            'KubeletHasNoDiskPressure',
            'kubelet has no disk pressure',
          ),
          condition(
            'PIDPressure',
            'False',
            'KubeletHasSufficientPID',
            'kubelet has sufficient PID available',
          ),
          condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
          'Capacity:',
          '  cpu:                16',
          `  memory:             ${sheet.between(65_000_000, 65_900_000)}Ki`,
          '  pods:               110',
          'Allocated resources:',
          '  Resource           Requests      Limits',
          `  cpu                ${sheet.between(2000, 9000)}m (${sheet.between(20, 60)}%)   ${sheet.between(9000, 15_000)}m (${sheet.between(60, 90)}%)`,
          '',
        ],
      }
    }
    sheet.fill(() => node(null), odd)
    return { command: 'kubectl describe nodes' }
  },
}

const helm: Program = {
  program: 'helm list',
  write(sheet) {
    const widths = [34, 14, 10, 44, 18, 30]
    sheet.line(
      columns(
        ['NAME', 'NAMESPACE', 'REVISION', 'UPDATED', 'STATUS', 'CHART', 'APP VERSION'],
        widths,
      ),
    )
    const row = (status: string, chart = '4.2.0'): readonly [string, string] => {
      const name = `${service(sheet)}-${noun(sheet)}-${sheet.hex(3)}`
      const updated = `2026-03-${sheet.between(10, 28)} 1${sheet.below(10)}:04:${sheet.between(10, 59)}.21 +0000 UTC`
      return [
        columns(
          [name, 'prod', sheet.between(1, 40), updated, status, `microservice-${chart}`, '1.9.3'],
          widths,
        ),
        name,
      ]
    }
    const planted: Row[] = sheet
      .some(['failed', 'pending-upgrade', 'uninstalling', 'superseded'], sheet.between(1, 2))
      .map((status) => ({ kind: 'exception', text: row(status)[0] }))
    if (sheet.chance(0.5)) planted.push({ kind: 'exception', text: row('deployed', '3.0.1')[0] })
    sheet.fill(() => {
      const [text, name] = row('deployed')
      return { lines: [text], name }
    }, planted)
    return { command: 'helm list -A --all' }
  },
}

export const containers: readonly Program[] = [
  dockerPs,
  dockerLogs,
  dockerBuild,
  kubectlPods,
  kubectlEvents,
  kubectlDescribe,
  helm,
]
