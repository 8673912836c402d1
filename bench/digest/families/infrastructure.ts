import type { Marked, Program, Row } from '../sheet.ts'
import { noun, service, slug, timeAt } from '../words.ts'

const awsTypes = [
  'aws_s3_bucket',
  'aws_iam_role',
  'aws_lambda_function',
  'aws_sqs_queue',
  'aws_route53_record',
]

const terraformPlan: Program = {
  program: 'terraform plan',
  write(sheet) {
    const refreshed = sheet.chance(0.5) ? 0.5 : 0.2
    sheet.fill(
      () => {
        const name = `${sheet.pick(awsTypes)}.${service(sheet)}_${noun(sheet)}`
        return { lines: [`${name}: Refreshing state... [id=${slug(sheet)}-${sheet.hex(6)}]`], name }
      },
      [],
      refreshed,
    )
    sheet.line(
      '',
      'Terraform used the selected providers to generate the following execution plan.',
      '',
      'Terraform will perform the following actions:',
      '',
    )
    let added = 0
    const body = (sign: string): string[] =>
      Array.from(
        { length: sheet.between(4, 9) },
        () =>
          `      ${sign} ${noun(sheet).padEnd(16)} = ${sign === '+' ? '(known after apply)' : `"${slug(sheet)}" -> null`}`,
      )
    const created = (): Row => {
      added++
      const name = `${sheet.pick(awsTypes)}.${service(sheet)}_${noun(sheet)}`
      const [type, label] = name.split('.')
      return {
        name,
        lines: [
          `  # ${name} will be created`,
          `  + resource "${type}" "${label}" {`,
          ...body('+'),
          '    }',
          '',
        ],
      }
    }
    const destroyed = `aws_db_instance.${service(sheet)}_main`
    const replaced = `aws_elasticache_cluster.${service(sheet)}`
    const changed = `aws_security_group.${service(sheet)}`
    const odd: readonly Row[] = [
      {
        lines: [
          { kind: 'change', text: `  # ${destroyed} will be destroyed` },
          `  # (because ${destroyed} is not in configuration)`,
          `  - resource "aws_db_instance" "${destroyed.split('.')[1]}" {`,
          ...body('-'),
          '    }',
          '',
        ],
      },
      {
        lines: [
          { kind: 'change', text: `  # ${replaced} must be replaced` },
          `-/+ resource "aws_elasticache_cluster" "${replaced.split('.')[1]}" {`,
          {
            kind: 'change',
            text: `      ~ node_type = "cache.m5.large" -> "cache.t3.micro" # forces replacement`,
          },
          '        # (12 unchanged attributes hidden)',
          '    }',
          '',
        ],
      },
      {
        lines: [
          { kind: 'change', text: `  # ${changed} will be updated in-place` },
          `  ~ resource "aws_security_group" "${changed.split('.')[1]}" {`,
          { kind: 'change', text: '      ~ cidr_blocks = ["10.0.0.0/8"] -> ["0.0.0.0/0"]' },
          '        # (8 unchanged attributes hidden)',
          '    }',
          '',
        ],
      },
    ]
    const count = sheet.between(1, 3)
    const planted = sheet.some(odd, count)
    sheet.fill(created, planted, 1)
    const gone = planted.filter((row) => row !== odd[2]).length
    sheet.mark(
      'summary',
      `Plan: ${added - 8 + (planted.includes(odd[1]!) ? 1 : 0)} to add, ${planted.includes(odd[2]!) ? 1 : 0} to change, ${gone} to destroy.`,
    )
    if (sheet.chance(0.4)) {
      sheet.line('╷')
      sheet.mark('warning', '│ Warning: Argument is deprecated')
      sheet.line('│')
      sheet.mark(
        'warning',
        `│   on main.tf line ${sheet.between(10, 300)}, in resource "aws_s3_bucket" "logs":`,
      )
      sheet.line('╵')
    }
    return { command: 'terraform plan -no-color' }
  },
}

const terraformApply: Program = {
  program: 'terraform apply',
  write(sheet) {
    const fails = sheet.chance(0.6)
    const name = `aws_db_instance.${service(sheet)}`
    const planted: Row[] = [
      {
        kind: 'exception',
        text: `${name}: Still creating... [${sheet.between(25, 58)}m10s elapsed]`,
      },
    ]
    if (sheet.chance(0.5))
      planted.push({
        kind: 'change',
        text: `aws_instance.${service(sheet)}_old: Destruction complete after 41s`,
      })
    sheet.fill(() => {
      const resource = `${sheet.pick(awsTypes)}.${service(sheet)}_${noun(sheet)}`
      const text = sheet.pick([
        `${resource}: Creating...`,
        `${resource}: Creation complete after ${sheet.between(1, 9)}s [id=${slug(sheet)}]`,
        `${resource}: Still creating... [${sheet.between(1, 5)}0s elapsed]`,
      ])
      return { lines: [text], name: resource }
    }, planted)
    if (!fails) {
      sheet.line('')
      sheet.mark(
        'summary',
        `Apply complete! Resources: ${sheet.between(100, 300)} added, 0 changed, 1 destroyed.`,
      )
      return { command: 'terraform apply -auto-approve -no-color' }
    }
    sheet.line('╷')
    sheet.mark(
      'failure',
      `│ Error: creating RDS DB Instance (${slug(sheet)}): InvalidParameterCombination: Cannot find version 16.9 for postgres`,
    )
    sheet.line('│ ')
    sheet.mark('failure', `│   with ${name},`)
    sheet.mark(
      'failure',
      `│   on rds.tf line ${sheet.between(3, 90)}, in resource "aws_db_instance" "${name.split('.')[1]}":`,
    )
    sheet.line('╵')
    return { command: 'terraform apply -auto-approve -no-color', status: 'error' }
  },
}

const ansible: Program = {
  program: 'ansible-playbook',
  write(sheet) {
    const host = (): string => `${service(sheet)}-${sheet.between(10, 99)}.acme.internal`
    const bad = host()
    const hosts = Array.from({ length: sheet.between(8, 16) }, host)
    const changes = host()
    const odd: readonly Row[] = [
      {
        kind: 'failure',
        text: `fatal: [${bad}]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh: Connection timed out", "unreachable": true}`,
      },
      {
        kind: 'failure',
        text: `fatal: [${bad}]: FAILED! => {"changed": false, "msg": "No package matching 'nginx-extras' is available"}`,
      },
      { kind: 'change', text: `changed: [${changes}]` },
      {
        kind: 'warning',
        text: `[WARNING]: Platform linux on host ${changes} is using the discovered Python interpreter at /usr/bin/python3.6`,
      },
    ]
    const planted = sheet.some(odd, sheet.between(1, 4))
    sheet.line(
      'PLAY [all] *********************************************************************',
      '',
    )
    sheet.fill(
      () => ({
        lines: [
          `TASK [${service(sheet)} : ${sheet.pick(['install', 'configure', 'template', 'enable'])} ${noun(sheet)}] *******************************`,
          ...hosts.map((name) => `ok: [${name}]`),
          '',
        ],
      }),
      planted,
    )
    sheet.line('PLAY RECAP *********************************************************************')
    for (const name of hosts)
      sheet.line(`${name.padEnd(32)} : ok=42   changed=0    unreachable=0    failed=0    skipped=3`)
    const failed = planted.includes(odd[1]!) ? 1 : 0
    const unreachable = planted.includes(odd[0]!) ? 1 : 0
    if (failed + unreachable > 0)
      sheet.mark(
        'failure',
        `${bad.padEnd(32)} : ok=17   changed=0    unreachable=${unreachable}    failed=${failed}    skipped=3`,
      )
    if (planted.includes(odd[2]!))
      sheet.mark(
        'summary',
        `${changes.padEnd(32)} : ok=42   changed=1    unreachable=0    failed=0    skipped=3`,
      )
    return {
      command: 'ansible-playbook -i inventory/prod site.yml',
      status: failed + unreachable > 0 ? 'error' : 'completed',
    }
  },
}

const pulumi: Program = {
  program: 'pulumi preview',
  write(sheet) {
    sheet.line(
      'Previewing update (prod)',
      '',
      '     Type                              Name                              Plan       Info',
    )
    const row = (plan: string, info = ''): readonly [string, string] => {
      const name = `${service(sheet)}-${noun(sheet)}-${sheet.hex(3)}`
      const type = sheet.pick([
        'aws:s3:Bucket',
        'aws:lambda:Function',
        'aws:iam:Role',
        'kubernetes:core:Service',
      ])
      const sign =
        plan === 'delete'
          ? ' -  '
          : plan === 'replace'
            ? ' +- '
            : plan === 'update'
              ? ' ~  '
              : '    '
      return [
        `${sign} ├─ ${type.padEnd(31)}${name.padEnd(34)}${plan.padEnd(11)}${info}`.trimEnd(),
        name,
      ]
    }
    const odd: readonly Row[] = [
      { kind: 'change', text: row('delete')[0] },
      { kind: 'change', text: row('replace', '[diff: ~engineVersion]')[0] },
      { kind: 'change', text: row('update', '[diff: ~tags]')[0] },
      { kind: 'failure', text: row('', '1 error')[0] },
    ]
    const planted = sheet.some(odd, sheet.between(1, 3))
    sheet.fill(() => {
      const [text, name] = row('')
      return { lines: [text], name }
    }, planted)
    sheet.line('', 'Resources:')
    planted.forEach((row) => {
      if (row !== odd[3])
        sheet.mark(
          'summary',
          `    ${row === odd[0] ? '- 1 to delete' : row === odd[1] ? '+-1 to replace' : '~ 1 to update'}`,
        )
    })
    sheet.mark('summary', `    ${sheet.between(100, 900)} unchanged`)
    return {
      command: 'pulumi preview --stack prod',
      status: planted.includes(odd[3]!) ? 'error' : 'completed',
    }
  },
}

const actionsLog: Program = {
  program: 'gh run view',
  write(sheet) {
    const job = sheet.pick(['build', 'test (20)', 'deploy', 'lint'])
    const at = (p: number): string =>
      `2026-03-14T${timeAt(p, 0.4)}.${sheet.between(1_000_000, 9_999_999)}Z`
    const line = (p: number, text: string, step = 'Run npm ci'): string =>
      `${job}\t${step}\t${at(p)} ${text}`
    const mark =
      (kind: Marked['kind'], text: string, step?: string) =>
      (p: number): Row => ({ kind, text: line(p, text, step) })
    const planted = sheet.some(
      [
        mark(
          'warning',
          '##[warning]Node.js 16 actions are deprecated. Please update: actions/cache@v3',
        ),
        mark(
          'failure',
          `##[error]src/${noun(sheet)}.ts(${sheet.between(3, 300)},7): error TS2322: Type 'string' is not assignable to type 'number'.`,
        ),
        mark('failure', `sh: 1: ${slug(sheet)}: not found`),
        mark('exception', 'Cache not found for input keys: node-modules-Linux-8842'),
        mark('failure', 'The hosted runner lost communication with the server.'),
      ],
      sheet.between(1, 4),
    )
    sheet.line(
      line(0, `Requested labels: ubuntu-24.04`, 'Set up job'),
      line(1, `##[group]Operating System`, 'Set up job'),
    )
    sheet.fill((p) => {
      const name = slug(sheet)
      return {
        lines: [
          line(
            p,
            sheet.pick([
              `npm http fetch GET 200 https://registry.npmjs.org/${name} ${sheet.between(8, 90)}ms`,
              `  added ${name}@${sheet.below(9)}.${sheet.below(20)}.${sheet.below(9)}`,
              `##[endgroup]`,
            ]),
          ),
        ],
        name,
      }
    }, planted)
    const fails = sheet.chance(0.7)
    if (fails)
      sheet.mark(
        'exit',
        line(
          90_000,
          `##[error]Process completed with exit code ${sheet.pick([1, 2, 127, 137])}.`,
          'Run npm ci',
        ),
      )
    sheet.line(line(90_002, 'Cleaning up orphan processes', 'Complete job'))
    return { command: `gh run view ${sheet.between(8_000_000, 9_000_000)} --log` }
  },
}

export const infrastructure: readonly Program[] = [
  terraformPlan,
  terraformApply,
  ansible,
  pulumi,
  actionsLog,
]
