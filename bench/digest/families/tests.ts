import type { Marked, Program, Row, RowWriter, Sheet } from '../sheet.ts'
import { functionName, noun, sentence, snakeName, timeAt, typeName } from '../words.ts'

/** What a failed test says. The two values are rare enough to be found again. */
interface Broken {
  readonly at: number
  readonly want: number
  readonly got: number
}

const broken = (sheet: Sheet): Broken => {
  const want = sheet.between(1_200, 98_000)
  return { at: sheet.between(14, 420), want, got: want + sheet.between(1, 40) }
}

const failure = (text: string, ...facts: readonly string[]): Marked =>
  facts.length === 0 ? { kind: 'failure', text } : { kind: 'failure', text, facts }

/** One failure in about half of the outputs, several in the others. */
const failureCount = (sheet: Sheet): number => sheet.pick([1, 1, 1, 2, 3, 5, 8])

const repeat = <Value>(count: number, make: () => Value): readonly Value[] =>
  Array.from({ length: count }, make)

/** How many tests each position ran. A position that is written again is counted once. */
interface Tally {
  readonly ran: (position: number, tests: number) => void
  readonly total: () => number
  readonly rows: () => number
}

function createTally(): Tally {
  const tests = new Map<number, number>()
  return {
    ran: (position, count) => void tests.set(position, count),
    total: () => [...tests.values()].reduce((sum, count) => sum + count, 0),
    rows: () => tests.size,
  }
}

const duration = (sheet: Sheet): string => (sheet.between(310, 9_800) / 100).toFixed(2)

const rule = (title: string, sign: string, width = 80): string => {
  const rest = Math.max(6, width - title.length - 2)
  const left = Math.floor(rest / 2)
  return `${sign.repeat(left)} ${title} ${sign.repeat(rest - left)}`
}

const pytestHead = [
  rule('test session starts', '='),
  'platform linux -- Python 3.12.3, pytest-8.2.0, pluggy-1.5.0 -- python3',
  'cachedir: .pytest_cache',
  'configfile: pyproject.toml',
  'plugins: anyio-4.3.0, cov-5.0.0, mock-3.14.0',
]

/** Rows of `pytest -v`, whose share of the whole is in the last column. */
const pytestRow = (name: string, state: string, position: number, rows: number): string => {
  const share = Math.min(100, Math.floor((100 * (position + 1)) / rows))
  return `${`${name} ${state}`.padEnd(73)} [${String(share).padStart(3)}%]`
}

const pytest: Program = {
  program: 'pytest',
  write(sheet) {
    const share = 0.85
    const rows = Math.floor((sheet.targetChars * share) / 82)
    sheet.line(...pytestHead, `collecting ... collected ${rows} items`, '')
    const path = (): string => `tests/${noun(sheet)}/test_${noun(sheet)}.py`
    const failed = repeat(failureCount(sheet), () => ({
      ...broken(sheet),
      file: path(),
      name: `test_${snakeName(sheet)}`,
      raises: sheet.chance(0.3),
    }))
    sheet.fill(
      (p) => {
        const name = `test_${snakeName(sheet)}`
        return { lines: [pytestRow(`${path()}::${name}`, 'PASSED', p, rows)], name }
      },
      failed.map(
        ({ file, name }): RowWriter =>
          (p) =>
            pytestRow(`${file}::${name}`, 'FAILED', p, rows),
      ),
      share,
    )
    sheet.line('', rule('FAILURES', '='))
    const messages = failed.map(({ got, want, raises }) =>
      raises ? `KeyError: 'sku-${want}'` : `AssertionError: assert ${got} == ${want}`,
    )
    for (const [index, { file, name, at, want, raises }] of failed.entries()) {
      const message = messages[index]!
      sheet.line(
        rule(name, '_'),
        '',
        `    def ${name}(client):`,
        `        result = client.${functionName(sheet)}()`,
        raises ? `>       result['sku-${want}']` : `>       assert result.total == ${want}`,
      )
      sheet.row(failure(`E       ${message}`, message))
      sheet.line('')
      sheet.row(failure(`${file}:${at}: ${message.split(':')[0]}`))
    }
    sheet.line(rule('short test summary info', '='))
    for (const [index, { file, name }] of failed.entries())
      sheet.row(failure(`FAILED ${file}::${name} - ${messages[index]}`))
    sheet.mark(
      'summary',
      rule(`${failed.length} failed, ${rows - failed.length} passed in ${duration(sheet)}s`, '='),
    )
    return { command: 'pytest -v', status: 'error' }
  },
}

/** One cause makes most of the tests fail. One other failure is among them. */
const pytestMany: Program = {
  program: 'pytest with many failures',
  write(sheet) {
    const share = 0.5
    const count = sheet.between(42, 46 + Math.floor(sheet.targetChars / 1_200))
    const rows = Math.max(count * 2, Math.floor((sheet.targetChars * share) / 82))
    sheet.line(...pytestHead, `collecting ... collected ${rows} items`, '')
    const path = (): string => `tests/${noun(sheet)}/test_${noun(sheet)}.py`
    const failed = repeat(count, () => `${path()}::test_${snakeName(sheet)}`)
    sheet.fill(
      (p) => pytestRow(`${path()}::test_${snakeName(sheet)}`, 'PASSED', p, rows),
      failed.map(
        (name): RowWriter =>
          (p) =>
            pytestRow(name, 'FAILED', p, rows),
      ),
      share,
    )
    sheet.line('', rule('short test summary info', '='))
    const other = sheet.below(count)
    const { got, want } = broken(sheet)
    for (const [index, name] of failed.entries()) {
      if (index === other) sheet.row(failure(`FAILED ${name} - assert ${got} == ${want}`))
      else
        sheet.mark(
          'failure',
          `FAILED ${name} - psycopg.OperationalError: connection to server at "localhost", port 5433 failed: Connection refused`,
          { shape: 'refused', facts: [name, 'OperationalError'] },
        )
    }
    sheet.mark(
      'summary',
      rule(`${count} failed, ${rows - count} passed in ${duration(sheet)}s`, '='),
    )
    return { command: 'python -m pytest -v --tb=no', status: 'error' }
  },
}

const jest: Program = {
  program: 'jest',
  write(sheet) {
    const tally = createTally()
    const count = failureCount(sheet)
    const suite = (position: number, isBroken: boolean): Row => {
      const file = `src/${noun(sheet)}/${noun(sheet)}-${noun(sheet)}.test.ts`
      const title = `${noun(sheet)} ${noun(sheet)}`
      const tests = sheet.between(3, 9)
      tally.ran(position, tests)
      const lines: (string | Marked)[] = repeat(
        tests - (isBroken ? 1 : 0),
        () => `    ✓ ${sentence(sheet)} (${sheet.between(1, 40)} ms)`,
      ).slice()
      if (!isBroken) return { lines: [`PASS ${file}`, `  ${title}`, ...lines, ''], name: file }
      const { at, want, got } = broken(sheet)
      const test = sentence(sheet)
      lines.splice(sheet.below(lines.length), 0, `    ✕ ${test} (${sheet.between(3, 90)} ms)`)
      return {
        lines: [
          failure(`FAIL ${file}`, file),
          `  ${title}`,
          ...lines,
          '',
          failure(`  ● ${title} › ${test}`),
          '',
          '    expect(received).toBe(expected) // Object.is equality',
          '',
          failure(`    Expected: ${want}`),
          failure(`    Received: ${got}`),
          '',
          `      ${at - 1} |     const result = ${functionName(sheet)}()`,
          `    > ${at} |     expect(result.total).toBe(${want})`,
          '         |                          ^',
          '',
          failure(`      at Object.<anonymous> (${file}:${at}:26)`, `${file}:${at}`),
          '',
        ],
      }
    }
    sheet.fill(
      (p) => suite(p, false),
      repeat(count, (): RowWriter => (p) => suite(p, true)),
    )
    const suites = tally.rows()
    const tests = tally.total()
    sheet.mark('summary', `Test Suites: ${count} failed, ${suites - count} passed, ${suites} total`)
    sheet.mark('summary', `Tests:       ${count} failed, ${tests - count} passed, ${tests} total`)
    sheet.line('Snapshots:   0 total', `Time:        ${duration(sheet)} s`, 'Ran all test suites.')
    return { command: 'npx jest --verbose 2>&1', status: 'error' }
  },
}

const vitest: Program = {
  program: 'vitest',
  write(sheet) {
    const tally = createTally()
    const path = (): string => `src/${noun(sheet)}/${noun(sheet)}-${noun(sheet)}.test.ts`
    const failed = repeat(failureCount(sheet), () => ({
      ...broken(sheet),
      file: path(),
      test: `${noun(sheet)} list > ${sentence(sheet)}`,
    }))
    sheet.line(' RUN  v3.1.2 /app', '')
    sheet.fill(
      (p) => {
        const file = path()
        const tests = sheet.between(2, 30)
        tally.ran(p, tests)
        const slow = sheet.chance(0.08)
          ? [`   ✓ ${noun(sheet)} list > ${sentence(sheet)}  ${sheet.between(301, 900)}ms`]
          : []
        return {
          lines: [` ✓ ${file} (${tests} tests) ${sheet.between(3, 290)}ms`, ...slow],
          name: file,
        }
      },
      failed.map(
        ({ file, test, want, got }): RowWriter =>
          (p) => {
            const tests = sheet.between(2, 30)
            tally.ran(p, tests)
            return {
              lines: [
                ` ❯ ${file} (${tests} tests | 1 failed) ${sheet.between(20, 290)}ms`,
                `   × ${test} ${sheet.between(3, 90)}ms`,
                `     → expected ${got} to be ${want} // Object.is equality`,
              ],
            }
          },
      ),
      0.9,
    )
    sheet.line('', rule(`Failed Tests ${failed.length}`, '⎯'), '')
    for (const [index, { file, test, at, want, got }] of failed.entries()) {
      sheet.row(failure(` FAIL  ${file} > ${test}`, file, test))
      sheet.row(
        failure(
          `AssertionError: expected ${got} to be ${want} // Object.is equality`,
          `expected ${got} to be ${want}`,
        ),
      )
      sheet.line('', '- Expected', '+ Received', '', `- ${want}`, `+ ${got}`, '')
      sheet.row(failure(` ❯ ${file}:${at}:26`))
      sheet.line(
        `    ${at - 1}|     const result = ${functionName(sheet)}()`,
        `    ${at}|     expect(result.total).toBe(${want})`,
        '       |                          ^',
        '',
        `${'⎯'.repeat(60)}[${index + 1}/${failed.length}]⎯`,
        '',
      )
    }
    const [files, tests, bad] = [tally.rows(), tally.total(), failed.length]
    sheet.mark('summary', ` Test Files  ${bad} failed | ${files - bad} passed (${files})`)
    sheet.mark('summary', `      Tests  ${bad} failed | ${tests - bad} passed (${tests})`)
    sheet.line('   Start at  10:12:01', `   Duration  ${duration(sheet)}s`)
    return { command: 'npx vitest run', status: 'error' }
  },
}

const mocha: Program = {
  program: 'mocha',
  write(sheet) {
    const tally = createTally()
    const failed = repeat(failureCount(sheet), () => ({
      ...broken(sheet),
      suite: `${noun(sheet)} ${noun(sheet)} api`,
      test: sentence(sheet),
      file: `test/${noun(sheet)}/${noun(sheet)}.spec.js`,
    }))
    const passing = (): string => {
      const slow = sheet.chance(0.1) ? ` (${sheet.between(40, 190)}ms)` : ''
      return `    ✔ ${sentence(sheet)}${slow}`
    }
    sheet.line('', '> shop@2.14.0 test', '> mocha --recursive', '', '')
    sheet.fill(
      (p) => {
        const tests = sheet.between(3, 8)
        tally.ran(p, tests)
        const suite = `${noun(sheet)} ${noun(sheet)} ${noun(sheet)}`
        return { lines: [`  ${suite}`, ...repeat(tests, passing), ''], name: suite }
      },
      failed.map(
        ({ suite, test }, index): RowWriter =>
          (p) => {
            tally.ran(p, 4)
            return {
              lines: [
                `  ${suite}`,
                passing(),
                passing(),
                `    ${index + 1}) ${test}`,
                passing(),
                '',
              ],
            }
          },
      ),
      0.92,
    )
    sheet.line('')
    sheet.mark('summary', `  ${tally.total() - failed.length} passing (${sheet.between(2, 50)}s)`)
    if (sheet.chance(0.4)) sheet.mark('summary', `  ${sheet.between(1, 6)} pending`)
    sheet.mark('summary', `  ${failed.length} failing`)
    sheet.line('')
    for (const [index, { suite, test, file, at, want, got }] of failed.entries()) {
      sheet.line(`  ${index + 1}) ${suite}`)
      sheet.row(failure(`       ${test}:`, test))
      sheet.line('')
      sheet.row(failure(`      AssertionError: expected ${got} to equal ${want}`))
      sheet.line('      + expected - actual', '', `      -${got}`, `      +${want}`, '      ')
      sheet.row(failure(`      at Context.<anonymous> (${file}:${at}:30)`, `${file}:${at}`))
      sheet.line('      at process.processImmediate (node:internal/timers:476:21)', '')
    }
    return { command: 'npm test', status: 'error' }
  },
}

const goTest: Program = {
  program: 'go test',
  write(sheet) {
    const module = `github.com/acme/${noun(sheet)}`
    const passed = (): readonly string[] => {
      const name = `Test${typeName(sheet)}_${functionName(sheet)}`
      const time = (sheet.below(30) / 100).toFixed(2)
      const log = sheet.chance(0.1)
        ? [`    ${noun(sheet)}_test.go:${sheet.between(10, 300)}: using seed ${sheet.hex(8)}`]
        : []
      return [`=== RUN   ${name}`, ...log, `--- PASS: ${name} (${time}s)`]
    }
    const packageName = (): string => `${module}/internal/${noun(sheet)}/${noun(sheet)}`
    const many = (): readonly string[] => repeat(sheet.between(2, 7), passed).flat()
    const planted = repeat(failureCount(sheet), (): Row => {
      const name = packageName()
      const test = `Test${typeName(sheet)}_${functionName(sheet)}`
      const { at, want, got } = broken(sheet)
      const file = `${name.split('/').at(-1)}_test.go`
      const time = (sheet.between(1, 300) / 100).toFixed(2)
      if (sheet.chance(0.2))
        return {
          lines: [
            ...many(),
            `=== RUN   ${test}`,
            failure(`--- FAIL: ${test} (${time}s)`, 'FAIL', test),
            failure(
              `panic: runtime error: index out of range [${got}] with length ${want} [recovered]`,
            ),
            '',
            `goroutine ${sheet.between(7, 90)} [running]:`,
            'testing.tRunner.func1.2({0x1029f40, 0xc00001c0a8})',
            '\t/usr/local/go/src/testing/testing.go:1632 +0x230',
            `${name}.${functionName(sheet)}(...)`,
            failure(`\t/app/internal/${name.split('/').slice(-2).join('/')}.go:${at}`),
            failure(`FAIL\t${name}\t${time}s`, 'FAIL', name),
          ],
        }
      return {
        lines: [
          ...many(),
          `=== RUN   ${test}`,
          failure(`    ${file}:${at}: ${functionName(sheet)}() = ${got}, want ${want}`),
          failure(`--- FAIL: ${test} (${time}s)`, 'FAIL', test),
          ...many(),
          'FAIL',
          failure(`FAIL\t${name}\t${time}s`, 'FAIL', name),
        ],
      }
    })
    sheet.fill(() => {
      const name = packageName()
      if (sheet.chance(0.15)) return `?   \t${name}\t[no test files]`
      return { lines: [...many(), 'PASS', `ok  \t${name}\t0.${sheet.between(102, 980)}s`], name }
    }, planted)
    sheet.line('FAIL')
    return { command: 'go test -v ./...', status: 'error' }
  },
}

const cargoTest: Program = {
  program: 'cargo test',
  write(sheet) {
    const rows = Math.floor((sheet.targetChars * 0.85) / 58)
    sheet.line(
      '    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.31s',
      `     Running unittests src/lib.rs (target/debug/deps/shop-${sheet.hex(16)})`,
      '',
      `running ${rows} tests`,
    )
    const path = (): string => `${noun(sheet)}::${noun(sheet)}::tests::${snakeName(sheet)}`
    const failed = repeat(failureCount(sheet), () => ({ ...broken(sheet), name: path() }))
    sheet.fill(
      () => {
        const name = path()
        return { lines: [`test ${name} ... ok`], name }
      },
      failed.map(({ name }) => `test ${name} ... FAILED`),
      0.85,
    )
    sheet.line('', 'failures:', '')
    for (const { name, at, want, got } of failed) {
      const file = `src/${name.split('::').slice(0, 2).join('/')}.rs`
      sheet.line(`---- ${name} stdout ----`, '')
      sheet.row(failure(`thread '${name}' panicked at ${file}:${at}:9:`, name, `${file}:${at}`))
      if (sheet.chance(0.3))
        sheet.row(
          failure(`called \`Result::unwrap()\` on an \`Err\` value: Missing { id: ${got} }`),
        )
      else {
        sheet.line('assertion `left == right` failed')
        sheet.row(failure(`  left: ${got}`))
        sheet.row(failure(` right: ${want}`))
      }
      sheet.line('')
    }
    sheet.line(
      'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
      '',
      'failures:',
      ...failed.map(({ name }) => `    ${name}`),
      '',
    )
    sheet.mark(
      'summary',
      `test result: FAILED. ${rows - failed.length} passed; ${failed.length} failed; 0 ignored; 0 measured; 0 filtered out; finished in ${duration(sheet)}s`,
    )
    sheet.line('', 'error: test failed, to rerun pass `--lib`')
    return { command: 'cargo test', status: 'error' }
  },
}

const rspec: Program = {
  program: 'rspec',
  write(sheet) {
    const tally = createTally()
    const failed = repeat(failureCount(sheet), () => ({
      ...broken(sheet),
      group: typeName(sheet),
      method: `#${snakeName(sheet)}`,
      test: sentence(sheet),
      file: `./spec/models/${noun(sheet)}_${noun(sheet)}_spec.rb`,
    }))
    const example = (): string => `    ${sentence(sheet)}`
    sheet.line('', `Randomized with seed ${sheet.between(1_000, 60_000)}`, '')
    sheet.fill(
      (p) => {
        const tests = sheet.between(2, 6)
        tally.ran(p, tests)
        const group = typeName(sheet)
        const lines = [group, `  #${snakeName(sheet)}`, ...repeat(tests, example), '']
        return { lines, name: group }
      },
      failed.map(
        ({ group, method, test }, index): RowWriter =>
          (p) => {
            tally.ran(p, 3)
            const bad = `    ${test} (FAILED - ${index + 1})`
            return { lines: [group, `  ${method}`, example(), bad, example(), ''] }
          },
      ),
      0.9,
    )
    sheet.line('Failures:', '')
    for (const [index, { group, method, test, file, at, want, got }] of failed.entries()) {
      sheet.row(failure(`  ${index + 1}) ${group}${method} ${test}`, `${group}${method} ${test}`))
      sheet.line(`     Failure/Error: expect(subject.total).to eq(${want})`, '')
      sheet.row(failure(`       expected: ${want}`))
      sheet.row(failure(`            got: ${got}`))
      sheet.line('', '       (compared using ==)')
      sheet.row(
        failure(`     # ${file}:${at}:in \`block (3 levels) in <top (required)>'`, `${file}:${at}`),
      )
      sheet.line('')
    }
    sheet.line(`Finished in ${duration(sheet)} seconds (files took 1.84 seconds to load)`)
    const plural = failed.length === 1 ? 'failure' : 'failures'
    sheet.mark('summary', `${tally.total()} examples, ${failed.length} ${plural}`)
    sheet.line('', 'Failed examples:', '')
    sheet.line(
      ...failed.map(
        ({ file, at, group, method, test }) => `rspec ${file}:${at} # ${group}${method} ${test}`,
      ),
    )
    return { command: 'bundle exec rspec -fd', status: 'error' }
  },
}

const phpunit: Program = {
  program: 'phpunit',
  write(sheet) {
    const tally = createTally()
    const count = failureCount(sheet)
    const passed = (): string => ` ✔ ${sentence(sheet)}`
    sheet.line(
      'PHPUnit 10.5.20 by Sebastian Bergmann and contributors.',
      '',
      'Runtime:       PHP 8.3.6',
      'Configuration: phpunit.xml',
      '',
    )
    sheet.fill(
      (p) => {
        const tests = sheet.between(2, 8)
        tally.ran(p, tests)
        const name = typeName(sheet)
        return { lines: [`${name} (Acme\\Tests\\${name})`, ...repeat(tests, passed), ''], name }
      },
      repeat(
        count,
        (): RowWriter => (p) => {
          tally.ran(p, 3)
          const name = typeName(sheet)
          const { at, want, got } = broken(sheet)
          return {
            lines: [
              `${name} (Acme\\Tests\\${name})`,
              passed(),
              failure(` ✘ ${sentence(sheet)}`),
              '   │',
              failure(`   │ Failed asserting that ${got} matches expected ${want}.`),
              '   │',
              failure(`   │ tests/Unit/${name}Test.php:${at}`),
              '   │',
              passed(),
              '',
            ],
          }
        },
      ),
    )
    sheet.line(`Time: 00:${duration(sheet).padStart(6, '0')}, Memory: 48.00 MB`, '', 'FAILURES!')
    const tests = tally.total()
    sheet.mark('summary', `Tests: ${tests}, Assertions: ${tests * 3 + 7}, Failures: ${count}.`)
    return { command: 'vendor/bin/phpunit --testdox', status: 'error' }
  },
}

const surefire: Program = {
  program: 'maven surefire',
  write(sheet) {
    const tally = createTally()
    const line = '[INFO] -------------------------------------------------------'
    sheet.line('[INFO] Scanning for projects...', line, '[INFO]  T E S T S', line)
    const failed = repeat(failureCount(sheet), () => ({
      ...broken(sheet),
      test: `${typeName(sheet)}Test`,
      method: functionName(sheet),
      area: `com.acme.${noun(sheet)}`,
    }))
    const counts = (tests: number, failures: number): string =>
      `Tests run: ${tests}, Failures: ${failures}, Errors: 0, Skipped: 0`
    const elapsed = (): string => `Time elapsed: 0.${sheet.between(101, 980)} s`
    sheet.fill(
      (p) => {
        const tests = sheet.between(1, 24)
        tally.ran(p, tests)
        const name = `com.acme.${noun(sheet)}.${typeName(sheet)}Test`
        const log = sheet.chance(0.3)
          ? [`${timeAt(p)}.114 [main] INFO  com.acme.${noun(sheet)}.Fixture -- loaded fixtures`]
          : []
        return {
          lines: [
            `[INFO] Running ${name}`,
            ...log,
            `[INFO] ${counts(tests, 0)}, ${elapsed()} -- in ${name}`,
          ],
          name,
        }
      },
      failed.map(
        ({ area, test, method, at, want, got }): RowWriter =>
          (p) => {
            const tests = sheet.between(3, 24)
            tally.ran(p, tests)
            const name = `${area}.${test}`
            const message = `expected: <${want}> but was: <${got}>`
            return {
              lines: [
                `[INFO] Running ${name}`,
                `[ERROR] ${counts(tests, 1)}, ${elapsed()} <<< FAILURE! -- in ${name}`,
                failure(`[ERROR] ${name}.${method} -- ${elapsed()} <<< FAILURE!`, test, method),
                failure(`org.opentest4j.AssertionFailedError: ${message}`, message),
                '\tat org.junit.jupiter.api.AssertionFailureBuilder.build(AssertionFailureBuilder.java:151)',
                '\tat org.junit.jupiter.api.AssertEquals.failNotEqual(AssertEquals.java:197)',
                failure(`\tat ${name}.${method}(${test}.java:${at})`, `${test}.${method}:${at}`),
                '\tat java.base/java.lang.reflect.Method.invoke(Method.java:580)',
                '\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1596)',
                '',
              ],
            }
          },
      ),
      0.95,
    )
    sheet.line('[INFO] ', '[INFO] Results:', '[INFO] ', '[ERROR] Failures: ')
    for (const { test, method, at, want, got } of failed)
      sheet.row(failure(`[ERROR]   ${test}.${method}:${at} expected: <${want}> but was: <${got}>`))
    sheet.line('[INFO] ')
    sheet.mark('summary', `[ERROR] ${counts(tally.total(), failed.length)}`)
    sheet.line('[INFO] ', '[INFO] BUILD FAILURE', `[INFO] Total time:  ${duration(sheet)} s`)
    sheet.line(
      '[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project shop: There are test failures.',
      '[ERROR] Re-run Maven using the -X switch to enable full debug logging.',
    )
    return { command: 'mvn -B test', status: 'error' }
  },
}

const gradle: Program = {
  program: 'gradle test',
  write(sheet) {
    const tally = createTally()
    const count = failureCount(sheet)
    sheet.line(
      '> Task :compileJava UP-TO-DATE',
      '> Task :processResources NO-SOURCE',
      '> Task :compileTestJava',
      '> Task :test',
      '',
    )
    sheet.fill(
      (p) => {
        tally.ran(p, 1)
        const name = `${typeName(sheet)}Test > ${functionName(sheet)}${typeName(sheet)}()`
        return { lines: [`${name} PASSED`, ''], name }
      },
      repeat(
        count,
        (): RowWriter => (p) => {
          tally.ran(p, 1)
          const test = `${typeName(sheet)}Test`
          const method = functionName(sheet)
          const { at, want, got } = broken(sheet)
          const message = sheet.pick([
            `org.opentest4j.AssertionFailedError: expected: <${want}> but was: <${got}>`,
            `java.lang.IllegalStateException: no ${noun(sheet)} with id ${got}`,
          ])
          return {
            lines: [
              failure(`${test} > ${method}() FAILED`),
              failure(`    ${message}`),
              '        at org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)',
              failure(
                `        at app//com.acme.shop.${test}.${method}(${test}.java:${at})`,
                `${test}.java:${at}`,
              ),
              '',
            ],
          }
        },
      ),
    )
    sheet.mark('summary', `${tally.total()} tests completed, ${count} failed`)
    sheet.line(
      '',
      '> Task :test FAILED',
      '',
      'FAILURE: Build failed with an exception.',
      '',
      '* What went wrong:',
      "Execution failed for task ':test'.",
      '> There were failing tests. See the report at: build/reports/tests/test/index.html',
      '',
      `BUILD FAILED in ${sheet.between(8, 58)}s`,
      '4 actionable tasks: 2 executed, 2 up-to-date',
    )
    return { command: './gradlew test --console=plain', status: 'error' }
  },
}

const dotnet: Program = {
  program: 'dotnet test',
  write(sheet) {
    const tally = createTally()
    const count = failureCount(sheet)
    const test = (): readonly [string, string] => {
      const group = `${typeName(sheet)}Tests`
      return [group, `Acme.Shop.Tests.${group}.${typeName(sheet)}_${typeName(sheet)}`]
    }
    sheet.line(
      '  Determining projects to restore...',
      '  All projects are up-to-date for restore.',
      '  Shop.Tests -> bin/Debug/net8.0/Shop.Tests.dll',
      'A total of 1 test files matched the specified pattern.',
    )
    sheet.fill(
      (p) => {
        tally.ran(p, 1)
        const [, name] = test()
        const time = sheet.chance(0.4) ? '< 1 ms' : `${sheet.between(1, 90)} ms`
        return { lines: [`  Passed ${name} [${time}]`], name }
      },
      repeat(
        count,
        (): RowWriter => (p) => {
          tally.ran(p, 1)
          const [group, name] = test()
          const { at, want, got } = broken(sheet)
          return {
            lines: [
              failure(`  Failed ${name} [${sheet.between(2, 90)} ms]`, 'Failed', name),
              '  Error Message:',
              '   Assert.Equal() Failure: Values differ',
              failure(`Expected: ${want}`),
              failure(`Actual:   ${got}`),
              '  Stack Trace:',
              failure(`     at ${name}() in tests/Shop.Tests/${group}.cs:line ${at}`),
              '   at System.RuntimeMethodHandle.InvokeMethod(Object target, Void** arguments)',
            ],
          }
        },
      ),
    )
    const tests = tally.total()
    sheet.line('', 'Test Run Failed.')
    sheet.mark('summary', `Total tests: ${tests}`)
    sheet.mark('summary', `     Passed: ${tests - count}`)
    sheet.mark('summary', `     Failed: ${count}`)
    sheet.line(` Total time: ${duration(sheet)} Seconds`)
    return { command: 'dotnet test --logger "console;verbosity=normal"', status: 'error' }
  },
}

const ctest: Program = {
  program: 'ctest',
  write(sheet) {
    const rows = Math.floor((sheet.targetChars * 0.95) / 118)
    const bad: [number, string, string][] = []
    const test = (p: number, state: string): readonly [string, string, string] => {
      const name = `${noun(sheet)}.${snakeName(sheet)}`
      const number = String(p + 1)
      const seconds = (sheet.between(1, 300) / 100).toFixed(2)
      return [
        `        Start ${number.padStart(3)}: ${name}`,
        `${number.padStart(3)}/${rows} Test ${`#${number}`.padStart(4)}: ${`${name} `.padEnd(48, '.')}${state}${seconds.padStart(7)} sec`,
        name,
      ]
    }
    sheet.line('Test project build')
    const odd = repeat(
      failureCount(sheet),
      (): RowWriter => (p) => {
        const kind = sheet.pick(['Failed', 'Failed', 'Timeout', 'SEGFAULT'])
        const label = kind === 'SEGFAULT' ? '***Exception: SegFault' : `***${kind}  `
        const [start, end, name] = test(p, label)
        bad.push([p + 1, name, kind])
        if (kind !== 'Failed') return { lines: [start, failure(end, name, kind)] }
        const { at, want, got } = broken(sheet)
        return {
          lines: [
            start,
            end,
            `[ RUN      ] ${name}`,
            failure(`tests/${name.split('.')[0]}_test.cpp:${at}: Failure`),
            'Expected equality of these values:',
            '  total',
            failure(`    Which is: ${got}`),
            failure(`  ${want}`),
            '',
            `[  FAILED  ] ${name} (${sheet.between(1, 90)} ms)`,
          ],
        }
      },
    )
    sheet.fill(
      (p) => {
        const [start, end, name] = test(p, '   Passed ')
        return { lines: [start, end], name }
      },
      odd,
      0.95,
    )
    const share = Math.floor((100 * (rows - bad.length)) / rows)
    sheet.line('')
    sheet.mark('summary', `${share}% tests passed, ${bad.length} tests failed out of ${rows}`)
    sheet.line('', `Total Test time (real) = ${duration(sheet)} sec`, '')
    sheet.line('The following tests FAILED:')
    for (const [number, name, kind] of bad)
      sheet.row(failure(`\t${String(number).padStart(3)} - ${name} (${kind})`, name, kind))
    sheet.line('Errors while running CTest')
    return { command: 'ctest --test-dir build --output-on-failure', status: 'error' }
  },
}

const nodeTap: Program = {
  program: 'node --test',
  write(sheet) {
    const tally = createTally()
    const count = failureCount(sheet)
    const time = (): string =>
      `  duration_ms: ${sheet.between(0, 40)}.${sheet.between(100000, 999999)}`
    sheet.line('TAP version 13')
    sheet.fill(
      (p) => {
        tally.ran(p, 1)
        const name = sentence(sheet)
        return {
          lines: [
            `# Subtest: ${name}`,
            `ok ${p + 1} - ${name}`,
            '  ---',
            time(),
            "  type: 'test'",
            '  ...',
          ],
          name,
        }
      },
      repeat(
        count,
        (): RowWriter => (p) => {
          tally.ran(p, 1)
          const name = sentence(sheet)
          const { at, want, got } = broken(sheet)
          const file = `test/${noun(sheet)}-${noun(sheet)}.test.js`
          return {
            lines: [
              `# Subtest: ${name}`,
              failure(`not ok ${p + 1} - ${name}`),
              '  ---',
              time(),
              "  type: 'test'",
              failure(`  location: '${file}:${at}:1'`, `${file}:${at}`),
              "  failureType: 'testCodeFailure'",
              '  error: |-',
              '    Expected values to be strictly equal:',
              '    ',
              failure(`    ${got} !== ${want}`),
              '    ',
              "  code: 'ERR_ASSERTION'",
              "  name: 'AssertionError'",
              `  expected: ${want}`,
              `  actual: ${got}`,
              "  operator: 'strictEqual'",
              '  stack: |-',
              `    TestContext.<anonymous> (${file}:${at + 3}:10)`,
              '    Test.runInAsyncScope (node:async_hooks:206:9)',
              '  ...',
            ],
          }
        },
      ),
    )
    const tests = tally.total()
    sheet.line(`1..${tests}`)
    sheet.mark('summary', `# tests ${tests}`)
    sheet.line('# suites 0')
    sheet.mark('summary', `# pass ${tests - count}`)
    sheet.mark('summary', `# fail ${count}`)
    sheet.line('# cancelled 0', '# skipped 0', '# todo 0', `# duration_ms ${duration(sheet)}`)
    return { command: 'node --test --test-reporter=tap', status: 'error' }
  },
}

const exunit: Program = {
  program: 'mix test',
  write(sheet) {
    const tally = createTally()
    const count = failureCount(sheet)
    let number = 0
    const passed = (): string =>
      `  * test ${sentence(sheet)} (${sheet.between(1, 90)}.${sheet.below(10)}ms) [L#${sheet.between(8, 400)}]`
    sheet.line(`Running ExUnit with seed: ${sheet.between(1000, 900000)}, max_cases: 1`, '')
    sheet.fill(
      (p) => {
        const tests = sheet.between(2, 8)
        tally.ran(p, tests)
        const name = `Acme.${typeName(sheet)}Test`
        const file = `test/acme/${noun(sheet)}_${noun(sheet)}_test.exs`
        return { lines: ['', `${name} [${file}]`, ...repeat(tests, passed)], name }
      },
      repeat(
        count,
        (): RowWriter => (p) => {
          tally.ran(p, 3)
          number++
          const name = `Acme.${typeName(sheet)}Test`
          const file = `test/acme/${noun(sheet)}_${noun(sheet)}_test.exs`
          const test = sentence(sheet)
          const { at, want, got } = broken(sheet)
          return {
            lines: [
              '',
              `${name} [${file}]`,
              passed(),
              `  * test ${test} (4.1ms) [L#${at}]`,
              '',
              failure(`  ${number}) test ${test} (${name})`),
              failure(`     ${file}:${at}`, `${file}:${at}`),
              '     Assertion with == failed',
              `     code:  assert result.total == ${want}`,
              failure(`     left:  ${got}`),
              failure(`     right: ${want}`),
              '     stacktrace:',
              `       ${file}:${at + 4}: (test)`,
              '',
              passed(),
            ],
          }
        },
      ),
    )
    sheet.line('', `Finished in ${duration(sheet)} seconds (0.00s async, ${duration(sheet)}s sync)`)
    sheet.mark(
      'summary',
      `${tally.total()} tests, ${count} ${count === 1 ? 'failure' : 'failures'}`,
    )
    return { command: 'mix test --trace', status: 'error' }
  },
}

export const tests: readonly Program[] = [
  pytest,
  pytestMany,
  jest,
  vitest,
  mocha,
  goTest,
  cargoTest,
  rspec,
  phpunit,
  surefire,
  gradle,
  dotnet,
  ctest,
  nodeTap,
  exunit,
]
