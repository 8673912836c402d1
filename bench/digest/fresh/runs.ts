import type { Program, Row } from '../sheet.ts'
import { functionName, noun, person, sentence, service, timeAt, typeName } from '../words.ts'

const playwright: Program = {
  program: 'playwright test',
  write(sheet) {
    sheet.line('Running 612 tests using 4 workers', '')
    let at = 0
    const test = (mark: string): string =>
      `  ${mark} ${String(++at).padStart(4)} [chromium] › e2e/${noun(sheet)}.spec.ts:${sheet.between(1, 300)}:7 › ${noun(sheet)} › ${sentence(sheet)} (${sheet.between(100, 2900)}ms)`
    sheet.fill(
      () => test('✓'),
      [
        () => ({ kind: 'failure', text: test('✘') }),
        () => ({ kind: 'failure', text: test('✘') }),
        () => ({ kind: 'exception', text: test('-') }),
      ],
    )
    sheet.line('', '')
    sheet.mark('failure', `  1) [chromium] › e2e/${noun(sheet)}.spec.ts:41:7 › ${sentence(sheet)}`)
    sheet.mark('failure', '    Error: expect(locator).toHaveText(expected) failed')
    sheet.mark('failure', `    Expected string: "${noun(sheet)}"`)
    sheet.mark('failure', `    Received string: "${noun(sheet)}s"`)
    sheet.line('        at e2e/cart.spec.ts:44:31', '')
    sheet.mark('summary', '  2 failed')
    sheet.mark('summary', '  1 skipped')
    sheet.mark('summary', '  609 passed (4.1m)')
    return { command: 'npx playwright test', status: 'error' }
  },
}

const k6: Program = {
  program: 'k6 run',
  write(sheet) {
    const progress = (position: number): Row =>
      `running (${Math.floor(position / 60)}m${String(position % 60).padStart(2, '0')}.0s), ${sheet.between(48, 52)}/50 VUs, ${position * 91} complete and 0 interrupted iterations`
    sheet.fill(progress, [
      (position) => ({
        kind: 'warning',
        text: `time="2026-06-01T${timeAt(position)}Z" level=warning msg="Request Failed" error="Get \\"https://shop.example.com/${noun(sheet)}\\": EOF"`,
      }),
      (position) => ({
        kind: 'failure',
        text: `time="2026-06-01T${timeAt(position)}Z" level=error msg="TypeError: Cannot read property '${noun(sheet)}' of undefined"`,
      }),
    ])
    sheet.line('')
    sheet.mark('failure', `     ✗ ${noun(sheet)} status is 200`)
    sheet.mark('failure', '      ↳  91% — ✓ 40112 / ✗ 3811')
    for (const name of ['checks', 'data_received', 'iterations', 'vus'])
      sheet.line(`     ${name.padEnd(30, '.')}: ${sheet.between(1000, 9000)}`)
    sheet.mark(
      'summary',
      '   ✗ http_req_duration..............: avg=812.1ms min=2.1ms med=640ms max=30.1s p(90)=1.9s p(95)=2.4s',
    )
    sheet.mark('failure', '     http_req_failed................: 8.67% ✓ 3811 ✗ 40112')
    sheet.mark(
      'failure',
      'time="2026-06-01T09:00:00Z" level=error msg="thresholds on metrics \'http_req_duration, http_req_failed\' have been crossed"',
    )
    return { command: 'k6 run load.js', status: 'error' }
  },
}

const cucumber: Program = {
  program: 'behave',
  write(sheet) {
    const scenario = (outcome: 'passed' | 'failed' | 'undefined'): Row => {
      const head = `  Scenario: ${sentence(sheet)}  # features/${noun(sheet)}.feature:${sheet.between(1, 200)}`
      const then = `    Then the ${noun(sheet)} is shown to ${person(sheet)}  # ${outcome === 'undefined' ? 'None' : `steps/${noun(sheet)}.py:${sheet.between(1, 90)} 0.0${sheet.between(10, 99)}s`}`
      const steps = [
        `    Given a ${noun(sheet)}  # steps/${noun(sheet)}.py:${sheet.between(1, 90)} 0.001s`,
        `    When ${person(sheet)} opens the ${noun(sheet)}  # steps/${noun(sheet)}.py:${sheet.between(1, 90)} 0.004s`,
      ]
      if (outcome === 'passed') return { lines: ['', head, ...steps, then] }
      return {
        lines: [
          '',
          { kind: 'failure', text: head },
          ...steps,
          { kind: 'failure', text: then },
          ...(outcome === 'failed'
            ? [
                {
                  kind: 'failure' as const,
                  text: `      ASSERT FAILED: expected 3 ${noun(sheet)}s but got ${sheet.between(4, 9)}`,
                },
              ]
            : []),
        ],
      }
    }
    sheet.fill(() => scenario('passed'), [scenario('failed'), scenario('undefined')])
    sheet.line('')
    sheet.mark('summary', '41 features passed, 2 failed, 0 skipped')
    sheet.mark('summary', '318 scenarios passed, 2 failed, 0 skipped')
    sheet.mark('summary', '1402 steps passed, 1 failed, 0 skipped, 1 undefined')
    return { command: 'behave', status: 'error' }
  },
}

const robot: Program = {
  program: 'robot framework',
  write(sheet) {
    const rule = '='.repeat(78)
    const thin = '-'.repeat(78)
    sheet.line(rule, 'Acceptance', rule)
    const test = (verdict: string, detail: string | null): Row => {
      const line = `${sentence(sheet).slice(0, 66).padEnd(69)}| ${verdict} |`
      if (detail === null) return { lines: [line, thin] }
      return {
        lines: [
          { kind: verdict === 'FAIL' ? 'failure' : 'exception', text: line },
          { kind: 'failure', text: detail },
          thin,
        ],
      }
    }
    sheet.fill(
      () => test('PASS', null),
      [
        test('FAIL', `Element 'id:${noun(sheet)}' did not appear in 10 seconds.`),
        test('FAIL', `'${noun(sheet)}' != '${noun(sheet)}'`),
        test('SKIP', `No ${noun(sheet)} configured for ${service(sheet)}`),
      ],
    )
    sheet.line(`${'Acceptance'.padEnd(69)}| FAIL |`)
    sheet.mark('summary', '312 tests, 309 passed, 2 failed, 1 skipped')
    return { command: 'robot tests/', status: 'error' }
  },
}

const bats: Program = {
  program: 'TAP output',
  write(sheet) {
    let at = 0
    const ok = (): Row => ({ lines: [`ok ${++at} ${sentence(sheet)}`] })
    sheet.line('TAP version 13', '1..400')
    sheet.fill(ok, [
      () => ({
        lines: [
          { kind: 'failure', text: `not ok ${++at} ${sentence(sheet)}` },
          {
            kind: 'failure',
            text: `# (in test file test/${noun(sheet)}.bats, line ${sheet.between(1, 90)})`,
          },
          { kind: 'failure', text: `#   \`[ "$status" -eq 0 ]' failed` },
        ],
      }),
      () => ({
        kind: 'exception',
        text: `ok ${++at} ${sentence(sheet)} # skip needs ${service(sheet)}`,
      }),
      () => ({
        kind: 'exception',
        text: `not ok ${++at} ${sentence(sheet)} # TODO flaky on ${service(sheet)}`,
      }),
    ])
    return { command: 'bats --tap test', status: 'error' }
  },
}

const junit: Program = {
  program: 'JUnit XML',
  write(sheet) {
    sheet.line('<?xml version="1.0" encoding="UTF-8"?>')
    sheet.mark(
      'summary',
      '<testsuite name="AllTests" tests="244" failures="1" errors="1" skipped="1" time="41.822">',
    )
    const open = (): string =>
      `  <testcase classname="com.acme.${typeName(sheet)}Test" name="${functionName(sheet)}${typeName(sheet)}" time="0.${sheet.between(100, 999)}"`
    const broken = (tag: string, message: string): Row => ({
      lines: [
        { kind: 'failure', text: `${open()}>` },
        {
          kind: 'failure',
          text: `    <${tag} message="${message}" type="java.lang.${tag === 'failure' ? 'AssertionError' : 'NullPointerException'}">`,
        },
        `      at com.acme.${typeName(sheet)}.${functionName(sheet)}(${typeName(sheet)}.java:${sheet.between(1, 300)})`,
        `    </${tag}>`,
        '  </testcase>',
      ],
    })
    sheet.fill(
      () => ({ lines: [`${open()}/>`] }),
      [
        broken('failure', 'expected:&lt;3&gt; but was:&lt;4&gt;'),
        broken('error', 'Cannot invoke &quot;String.length()&quot;'),
        {
          lines: [
            { kind: 'exception', text: `${open()}>` },
            { kind: 'exception', text: '    <skipped/>' },
            '  </testcase>',
          ],
        },
      ],
    )
    sheet.line('</testsuite>')
    return { command: 'cat build/test-results/TEST-all.xml' }
  },
}

const locust: Program = {
  program: 'locust',
  write(sheet) {
    sheet.line(
      'Type     Name                                   # reqs      # fails |    Avg     Min     Max    Med |   req/s  failures/s',
      '--------|--------------------------------------|-------|-------------|-------|-------|-------|-------|--------|-----------',
    )
    const row = (fails: number, average: number, most: number): string => {
      const count = sheet.between(1000, 9000)
      return (
        `GET      /api/${noun(sheet)}s/${noun(sheet)}`.padEnd(48) +
        `${String(count).padStart(6)}  ${String(fails).padStart(4)}(${((fails / count) * 100).toFixed(2)}%) |${String(average).padStart(7)}${String(sheet.between(1, 9)).padStart(8)}${String(most).padStart(8)}${String(average - 3).padStart(7)} |${(count / 60).toFixed(2).padStart(8)}        0.00`
      )
    }
    sheet.fill(
      () => row(0, sheet.between(20, 60), sheet.between(90, 300)),
      [
        { kind: 'failure', text: row(812, 41, 201) },
        { kind: 'exception', text: row(0, 4812, 30_001) },
        { kind: 'failure', text: row(3, 44, 188) },
      ],
    )
    sheet.line('-'.repeat(110))
    sheet.mark(
      'summary',
      '         Aggregated                               118204   815(0.69%) |     61       1   30001     38 | 1970.07       13.58',
    )
    return { command: 'locust --headless -u 50 --run-time 1m' }
  },
}

const ginkgo: Program = {
  program: 'ginkgo verbose',
  write(sheet) {
    const spec = (mark: string, kind: 'failure' | 'exception' | null): Row => {
      const head = `${typeName(sheet)} when the ${noun(sheet)} is ready ${sentence(sheet)}`
      const where = `/repo/${service(sheet)}/${noun(sheet)}_test.go:${sheet.between(1, 300)}`
      const end = `• ${mark}[0.00${sheet.between(1, 9)} seconds]`
      return {
        lines: [
          '------------------------------',
          kind === null ? head : { kind, text: head },
          where,
          kind === null ? end : { kind, text: end },
          ...(kind === 'failure'
            ? [
                {
                  kind,
                  text: `  Expected <int>: ${sheet.between(1, 9)} to equal <int>: ${sheet.between(10, 19)}`,
                },
              ]
            : []),
        ],
      }
    }
    sheet.fill(
      () => spec('', null),
      [
        spec('[FAILED] ', 'failure'),
        spec('[PANICKED] ', 'failure'),
        spec('[PENDING] ', 'exception'),
      ],
    )
    sheet.mark('summary', 'Ran 210 of 211 Specs in 12.401 seconds')
    sheet.mark('failure', 'FAIL! -- 208 Passed | 2 Failed | 1 Pending | 0 Skipped')
    return { command: 'ginkgo -v ./...', status: 'error' }
  },
}

const coverage: Program = {
  program: 'coverage report',
  write(sheet) {
    sheet.line(
      'Name                                         Stmts   Miss Branch BrPart   Cover   Missing',
      '-'.repeat(92),
    )
    const row = (cover: number, missing: string): string => {
      const statements = sheet.between(20, 300)
      return `${`app/${service(sheet)}/${noun(sheet)}_${noun(sheet)}.py`.padEnd(44)}${String(statements).padStart(6)}${String(Math.round((statements * (100 - cover)) / 100)).padStart(7)}${String(sheet.between(2, 40)).padStart(7)}${String(sheet.below(3)).padStart(7)}${`${cover}%`.padStart(8)}   ${missing}`
    }
    sheet.fill(
      () =>
        row(
          sheet.between(92, 100),
          sheet.chance(0.5) ? '' : `${sheet.between(10, 40)}, ${sheet.between(50, 90)}`,
        ),
      [
        { kind: 'exception', text: row(0, '1-211') },
        { kind: 'exception', text: row(34, '18-122, 140-201') },
      ],
    )
    sheet.line('-'.repeat(92))
    sheet.mark(
      'summary',
      'TOTAL                                        18204   1411   4022    311     91%',
    )
    sheet.mark('failure', 'Coverage failure: total of 91 is less than fail-under=93')
    return { command: 'coverage report -m', status: 'error' }
  },
}

export const runs: readonly Program[] = [
  playwright,
  k6,
  cucumber,
  robot,
  bats,
  junit,
  locust,
  ginkgo,
  coverage,
]
