import type { Marked, Program, Row } from '../sheet.ts'
import { columns, ip, noun, person, service, slug, timeAt, uuid } from '../words.ts'

/** Lines of a JSON value inside an array, with the lines marked that hold one of the words. */
export function jsonRow(
  value: unknown,
  { marks = [], kind = 'exception', facts, name, indent = 8, step = 4 }: JsonRowOptions,
): { readonly lines: readonly (string | Marked)[]; readonly name?: string } {
  const space = ' '.repeat(indent)
  const text = `${JSON.stringify(value, null, step)},`
  const lines = text.split('\n').map((line): string | Marked => {
    const isMarked = marks.some((mark) => line.includes(mark))
    if (!isMarked) return space + line
    return { kind, text: space + line, ...(facts === undefined ? {} : { facts }) }
  })
  return name === undefined ? { lines } : { lines, name }
}

interface JsonRowOptions {
  readonly marks?: readonly string[]
  readonly kind?: Marked['kind']
  readonly facts?: readonly string[]
  readonly name?: string
  readonly indent?: number
  readonly step?: number
}

const awsInstances: Program = {
  program: 'aws ec2',
  write(sheet) {
    const instance = (state: string, type = 'm6i.large'): Row => {
      const id = `i-0${sheet.hex(16)}`
      const value = {
        InstanceId: id,
        ImageId: `ami-0${sheet.hex(16)}`,
        InstanceType: type,
        LaunchTime: `2026-02-${sheet.between(10, 27)}T0${sheet.below(10)}:21:09+00:00`,
        Placement: {
          AvailabilityZone: `eu-west-1${sheet.pick(['a', 'b', 'c'])}`,
          Tenancy: 'default',
        },
        PrivateIpAddress: ip(sheet),
        State: { Code: state === 'running' ? 16 : 80, Name: state },
        SubnetId: `subnet-0${sheet.hex(16)}`,
        Tags: [{ Key: 'Name', Value: `${service(sheet)}-${noun(sheet)}` }],
      }
      if (state !== 'running')
        return jsonRow(value, { marks: [id, `"${state}"`], facts: [id, state] })
      if (type !== 'm6i.large')
        return jsonRow(value, { marks: [id, `"${type}"`], facts: [id, type] })
      return jsonRow(value, { name: id })
    }
    const odd = ['stopped', 'shutting-down', 'terminated']
    const planted = sheet.some(odd, sheet.between(1, 2)).map((state) => instance(state))
    if (sheet.chance(0.5)) planted.push(instance('running', 'p4d.24xlarge'))
    sheet.line('{', '    "Instances": [')
    sheet.fill(() => instance('running'), planted)
    sheet.line('    ]', '}')
    return {
      command: "aws ec2 describe-instances --query '{Instances: Reservations[].Instances[]}'",
    }
  },
}

const awsTable: Program = {
  program: 'aws rds table',
  write(sheet) {
    const widths = [36, 16, 16, 12, 14]
    const rule = `+${widths.map((width) => '-'.repeat(width + 1)).join('+')}+`
    const draw = (cells: readonly string[]): string =>
      `|${cells.map((cell, index) => ` ${cell.padEnd(widths[index]!)}`).join('|')}|`
    sheet.line(
      '-'.repeat(rule.length),
      `|${'DescribeDBInstances'.padStart(58).padEnd(rule.length - 2)}|`,
      rule,
    )
    sheet.line(draw(['DBInstanceIdentifier', 'Class', 'Engine', 'Version', 'Status']), rule)
    const row = (version: string, status: string): readonly [string, string] => {
      const name = `${service(sheet)}-${noun(sheet)}-${sheet.hex(4)}`
      return [draw([name, 'db.r6g.large', 'postgres', version, status]), name]
    }
    const planted = sheet
      .some(['storage-full', 'incompatible-restore', 'rebooting', 'stopped'], sheet.between(1, 3))
      .map((status): Row => ({ kind: 'exception', text: row('15.4', status)[0] }))
    planted.push({ kind: 'exception', text: row('11.22', 'available')[0] })
    sheet.fill(() => {
      const [text, name] = row('15.4', 'available')
      return { lines: [text], name }
    }, planted)
    sheet.line(rule)
    return { command: 'aws rds describe-db-instances --output table' }
  },
}

const awsStack: Program = {
  program: 'aws cloudformation',
  write(sheet) {
    const event = (position: number, status: string, reason?: string): Row => {
      const id = `${service(sheet)}${sheet.hex(8).toUpperCase()}`
      const value = {
        StackName: 'prod-core',
        LogicalResourceId: id,
        ResourceType: sheet.pick([
          'AWS::Lambda::Function',
          'AWS::IAM::Role',
          'AWS::SQS::Queue',
          'AWS::S3::Bucket',
        ]),
        Timestamp: `2026-03-14T${timeAt(position, 5)}.000Z`,
        ResourceStatus: status,
        ...(reason === undefined ? {} : { ResourceStatusReason: reason }),
      }
      if (reason === undefined) return jsonRow(value, { name: id })
      return jsonRow(value, { kind: 'failure', marks: [id, status, reason], facts: [id, reason] })
    }
    const planted = sheet
      .some(
        [
          ['CREATE_FAILED', 'Resource handler returned message: "Role already exists"'],
          ['UPDATE_FAILED', 'User is not authorized to perform: sqs:SetQueueAttributes'],
          ['CREATE_FAILED', 'Resource creation cancelled'],
          ['UPDATE_ROLLBACK_IN_PROGRESS', 'The following resource(s) did not stabilize'],
        ],
        sheet.between(1, 3),
      )
      .map(
        ([status, reason]) =>
          (position: number): Row =>
            event(position, status!, reason!.replaceAll('"', "'")),
      )
    sheet.line('{', '    "StackEvents": [')
    sheet.fill(
      (position) => event(position, sheet.pick(['CREATE_COMPLETE', 'CREATE_IN_PROGRESS'])),
      planted,
    )
    sheet.line('    ]', '}')
    return { command: 'aws cloudformation describe-stack-events --stack-name prod-core' }
  },
}

const gcloud: Program = {
  program: 'gcloud compute',
  write(sheet) {
    const widths = [34, 18, 16, 14, 16, 18]
    sheet.line(
      columns(
        ['NAME', 'ZONE', 'MACHINE_TYPE', 'PREEMPTIBLE', 'INTERNAL_IP', 'EXTERNAL_IP', 'STATUS'],
        widths,
      ),
    )
    const row = (status: string, external = ''): readonly [string, string] => {
      const name = `gke-${service(sheet)}-pool-${sheet.hex(8)}`
      const zone = `europe-west4-${sheet.pick(['a', 'b', 'c'])}`
      return [columns([name, zone, 'e2-standard-8', '', ip(sheet), external, status], widths), name]
    }
    const planted = sheet
      .some(['TERMINATED', 'STOPPING', 'SUSPENDED', 'REPAIRING'], sheet.between(1, 3))
      .map((status): Row => ({ kind: 'exception', text: row(status)[0] }))
    if (sheet.chance(0.6))
      planted.push({ kind: 'exception', text: row('RUNNING', '34.90.12.201')[0] })
    sheet.fill(() => {
      const [text, name] = row('RUNNING')
      return { lines: [text], name }
    }, planted)
    return { command: 'gcloud compute instances list' }
  },
}

const gcloudLogs: Program = {
  program: 'gcloud logging',
  write(sheet) {
    const entry = (position: number, severity: string, text: string): Row => {
      const id = `insert-${sheet.hex(12)}`
      const lines: (string | Marked)[] = [
        '---',
        `insertId: ${id}`,
        'logName: projects/acme-prod/logs/run.googleapis.com%2Fstderr',
        'resource:',
        '  labels:',
        `    service_name: ${service(sheet)}`,
        '  type: cloud_run_revision',
      ]
      const isOdd = severity !== 'INFO'
      const kind = severity === 'WARNING' ? 'warning' : 'failure'
      lines.push(
        isOdd ? { kind, text: `severity: ${severity}`, facts: [text] } : `severity: ${severity}`,
      )
      lines.push(isOdd ? { kind, text: `textPayload: ${text}` } : `textPayload: ${text}`)
      lines.push(`timestamp: '2026-03-14T${timeAt(position)}.104Z'`)
      return { lines, name: id }
    }
    const planted = sheet
      .some(
        [
          ['ERROR', `Memory limit of 512 MiB exceeded with ${sheet.between(513, 600)} MiB used`],
          ['WARNING', 'The request was aborted because there was no available instance'],
          ['CRITICAL', `Cannot decrypt secret ${slug(sheet)}: key version is disabled`],
        ] as const,
        sheet.between(1, 3),
      )
      .map(
        ([severity, text]) =>
          (position: number): Row =>
            entry(position, severity, text),
      )
    sheet.fill(
      (position) =>
        entry(
          position,
          'INFO',
          `handled ${noun(sheet)} of ${person(sheet)} in ${sheet.between(4, 90)} ms`,
        ),
      planted,
    )
    return { command: "gcloud logging read 'resource.type=cloud_run_revision' --limit 500" }
  },
}

const azure: Program = {
  program: 'az',
  write(sheet) {
    const resource = (state: string, sku = 'Standard_B2s'): Row => {
      const name = `vm-${service(sheet)}-${sheet.hex(4)}`
      const value = {
        hardwareProfile: { vmSize: sku },
        id: `/subscriptions/${uuid(sheet)}/resourceGroups/rg-prod/providers/Microsoft.Compute/virtualMachines/${name}`,
        location: 'westeurope',
        name,
        powerState: state,
        provisioningState:
          state === 'VM running' ? 'Succeeded' : sheet.pick(['Failed', 'Updating']),
        tags: { owner: person(sheet) },
      }
      if (state === 'VM running') return jsonRow(value, { name, indent: 2, step: 2 })
      return jsonRow(value, {
        marks: [`"name": "${name}"`, state, 'provisioningState'],
        facts: [name, state],
        indent: 2,
        step: 2,
      })
    }
    sheet.line('[')
    const planted = sheet.some(['VM deallocated', 'VM stopped', 'VM starting'], sheet.between(1, 3))
    sheet.fill(
      () => resource('VM running'),
      planted.map((state) => resource(state)),
    )
    sheet.line(']')
    return { command: 'az vm list -d -o json' }
  },
}

export const clouds: readonly Program[] = [
  awsInstances,
  awsTable,
  awsStack,
  gcloud,
  gcloudLogs,
  azure,
]
