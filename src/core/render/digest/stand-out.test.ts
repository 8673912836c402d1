import { describe, expect, it } from 'vitest'
import { digestOf, lines, shellSource } from '../../../../test/core/sample-source.ts'

const limits = { leastChars: 2000, targetChars: 2500 }

/** The digest of an output in which some lines are replaced by others. */
function digestWith(
  command: string,
  usual: (n: number) => string,
  planted: Readonly<Record<number, string>>,
  request: string | null = null,
): string {
  const text = lines(400, (n) => planted[n] ?? usual(n))
  return digestOf({ ...shellSource(command, text), request }, limits)
}

const names = ['anna', 'boris', 'chloe', 'dmitri', 'elif', 'farid', 'greta', 'hiro', 'ines', 'jo']
const name = (n: number): string => `${names[n % 10]}_${names[(n >> 1) % 10]}${n}`

describe('a digest of many similar lines shows the exceptions', () => {
  it('a container that exited among running ones', () => {
    const row = (n: number, state: string): string =>
      `${(n * 7919).toString(16).padStart(12, '0')}   nginx:1.27   "/docker-entrypoint.…"   3 days ago   ${state}   80/tcp   ${name(n)}`
    const digest = digestWith('docker ps -a', (n) => row(n, `Up ${(n % 5) + 1} days`), {
      123: row(123, 'Exited (137) 2 hours ago'),
      301: row(301, 'Restarting (1) 4 seconds ago'),
    })
    expect(digest).toContain(row(123, 'Exited (137) 2 hours ago'))
    expect(digest).toContain(row(301, 'Restarting (1) 4 seconds ago'))
  })

  it('a state that no word of trouble describes', () => {
    const row = (n: number, state: string): string =>
      ` ${1000 + n} | ${name(n)}@example.com | ${(n * 13) % 900}.50 | ${state} | 2026-10-${(n % 28) + 1}`
    const digest = digestWith('psql -c "select * from payments"', (n) => row(n, 'settled'), {
      77: row(77, 'charged_back'),
      250: row(250, 'under_review'),
    })
    expect(digest).toContain(row(77, 'charged_back'))
    expect(digest).toContain(row(250, 'under_review'))
  })

  it('a status code and a latency far from the others', () => {
    const row = (n: number, code = 200, ms = 20 + (n % 17)): string =>
      `10.0.0.${n % 250} - - [16/Nov/2026:10:${n % 60}:00] "GET /api/items/${n} HTTP/1.1" ${code} ${ms}ms`
    const digest = digestWith('tail -n 400 access.log', (n) => row(n), {
      88: row(88, 503),
      200: row(200, 200, 9120),
    })
    expect(digest).toContain(row(88, 503))
    expect(digest).toContain(row(200, 200, 9120))
  })

  it('pods that are not ready', () => {
    const row = (n: number, ready = '1/1'): string =>
      `${names[n % 10]}-api-7d9f8b6c5-x${n}z   ${ready}   Running   0   ${(n % 9) + 1}d`
    const digest = digestWith('kubectl get pods', (n) => row(n), { 210: row(210, '0/1') })
    expect(digest).toContain(row(210, '0/1'))
  })
})

describe('a digest shows every report', () => {
  it('every failed test of a report, wherever it stands', () => {
    const failed = [7, 80, 81, 150, 222, 300, 399]
    const planted = Object.fromEntries(
      failed.map((n) => [n, `| ${n} | checkout_${n} | FAILED | e3f55d${n} |`]),
    )
    const digest = digestWith(
      'make report',
      (n) => `| ${n} | checkout_${n} | ok | e3f55d${n} |`,
      planted,
    )
    for (const row of Object.values(planted)) expect(digest).toContain(row)
  })

  it('what a plan destroys, with its resource', () => {
    const digest = digestWith('terraform plan', (n) => `      + tag_${n} = "value-${n}"`, {
      180: '  # aws_db_instance.main will be destroyed',
      181: '  - resource "aws_db_instance" "main" {',
      399: 'Plan: 3 to add, 0 to change, 1 to destroy.',
    })
    expect(digest).toContain('# aws_db_instance.main will be destroyed')
    expect(digest).toContain('Plan: 3 to add, 0 to change, 1 to destroy.')
  })

  it('what the user or the command asked about', () => {
    const usual = (n: number): string => `info: worker ${n} served tenant-${n} from cache`
    expect(digestWith('cat app.log', usual, {}, 'what happened to tenant-233?')).toContain(
      usual(233),
    )
    expect(digestWith('kubectl logs --selector tenant-144', usual, {})).toContain(usual(144))
  })

  it('every changed line of a diff, with its file and hunk', () => {
    const text = [
      'diff --git a/src/pay.ts b/src/pay.ts',
      'index 1111111..2222222 100644',
      '--- a/src/pay.ts',
      '+++ b/src/pay.ts',
      ...Array.from({ length: 12 }, (_, hunk) => [
        `@@ -${hunk * 50},30 +${hunk * 50},30 @@ function part${hunk}()`,
        ...Array.from({ length: 30 }, (_, n) => `   const unchanged_${hunk}_${n} = ${n}`),
        `-  return total_${hunk}`,
        `+  return total_${hunk} + fee`,
        ...Array.from({ length: 30 }, (_, n) => `   const after_${hunk}_${n} = ${n}`),
      ]).flat(),
    ].join('\n')
    const digest = digestOf(shellSource('git diff', text), limits)
    const changed = text.split('\n').filter((line) => /^(?:[-+]|@@|diff)/.test(line))
    expect(changed.filter((line) => !digest.includes(line))).toEqual([])
    expect(digest.length).toBeLessThan(text.length / 2)
  })

  it('a record of JSON with another state, and its name', () => {
    const record = (n: number, state: string): string =>
      `    {\n      "InstanceId": "i-0${n}",\n      "State": "${state}",\n      "Zone": "eu-1"\n    }`
    const text = `{\n  "Instances": [\n${lines(120, (n) => record(n, n === 66 ? 'stopped' : 'running')).replaceAll('}\n    {', '},\n    {')}\n  ]\n}`
    const digest = digestOf(shellSource('aws ec2 describe-instances', text), limits)
    expect(digest).toContain('"State": "stopped"')
    expect(digest).toContain('"InstanceId": "i-066"')
    const oneLine = JSON.stringify(JSON.parse(text))
    const ofOneLine = digestOf(shellSource('curl api/instances', oneLine), limits)
    expect(ofOneLine).toContain('"State":"stopped"')
    expect(ofOneLine).toContain('"InstanceId":"i-066"')
  })

  it('says how many lines of which shape it leaves out and how to see them', () => {
    const digest = digestWith('make all', (n) => `copied module ${n}`, {
      200: 'FAILED to copy 200',
    })
    expect(digest).toMatch(
      /\[… \d+ output lines left out · \d+ like `copied module \d+` · context_restore a1b2c3\]$/,
    )
  })
})

describe('a digest of many similar lines shows what a few of them say differently', () => {
  const usual = (n: number): string =>
    `lib/${name(n)}.rb(${n}) style prefer single quotes for ${name(n)}${' here'.repeat(n % 7)}`

  it('a line that was added or removed in a text that is no patch', () => {
    const digest = digestWith(
      'helm diff upgrade',
      (n) => `    value${n}: ${name(n)} and ${name(n + 1)}`,
      {
        180: '-   privileged: false',
        181: '+   privileged: true',
      },
    )
    expect(digest).toContain('-   privileged: false\n+   privileged: true')
  })

  it('the list that a report announces', () => {
    const digest = digestWith('conda install', (n) => `  ${name(n)} 2.${n} --> 3.${n}`, {
      180: '',
      181: 'The following packages will be REMOVED:',
      182: '',
      183: '  openssl 4.1 --> none',
      184: '',
    })
    expect(digest).toContain('  openssl 4.1 --> none')
  })

  it('a row that begins like many others and goes on with another word', () => {
    const odd = `lib/${name(210)}.rb(210) lint two methods have the name ${name(9)} and one of both goes`
    expect(digestWith('bin/lint', usual, { 210: odd })).toContain(odd)
  })

  it('what the short paragraph of a failure is about', () => {
    const block = (n: number): string =>
      `  File app/${name(n)}.php\n  ${n} No return type for ${name(n)}.\n`
    const digest = digestWith('phpstan', block, {
      210: `  File app/broken.php\n  12 Call to an undefined method of ${name(210)}.\n`,
    })
    expect(digest).toContain('File app/broken.php')
  })
})
