import type { Marked, Program, Row } from '../sheet.ts'
import { folder, functionName, noun, service, snakeName, sourceFile, typeName } from '../words.ts'

const clippy: Program = {
  program: 'cargo clippy',
  write(sheet) {
    const place = (): string =>
      `${sourceFile(sheet, 'rs')}:${sheet.between(1, 400)}:${sheet.between(1, 60)}`
    const finding = (
      level: 'warning' | 'error',
      text: string,
      lint: string,
      isMarked: boolean,
    ): Row => {
      const head = `${level}: ${text}`
      const where = `  --> ${place()}`
      const mark = (line: string): string | Marked =>
        isMarked ? { kind: level === 'error' ? 'failure' : 'warning', text: line } : line
      return {
        lines: [
          mark(head),
          mark(where),
          '   |',
          `${sheet.between(10, 99)} |     let ${noun(sheet)} = ${functionName(sheet)}(&${noun(sheet)});`,
          '   |         ^^^^^',
          '   |',
          `   = help: for further information visit https://rust-lang.github.io/rust-clippy/master/index.html#${lint}`,
          '',
        ],
      }
    }
    sheet.fill(
      () =>
        sheet.chance(0.6)
          ? finding(
              'warning',
              'this argument is passed by value, but not consumed',
              'needless_pass_by_value',
              false,
            )
          : `    Checking ${noun(sheet)}-${noun(sheet)} v0.${sheet.below(20)}.${sheet.below(9)}`,
      [
        finding('error', 'this loop never actually loops', 'never_loop', true),
        finding(
          'error',
          `comparison to \`f64::NAN\` in ${functionName(sheet)}`,
          'invalid_nan_comparisons',
          true,
        ),
        finding('warning', `unused variable: \`${noun(sheet)}\``, 'unused', true),
        finding(
          'warning',
          `this MutexGuard is held across an await point`,
          'await_holding_lock',
          true,
        ),
      ],
    )
    sheet.mark(
      'failure',
      `error: could not compile \`${service(sheet)}\` (lib) due to 2 previous errors; 31 warnings emitted`,
    )
    return { command: 'cargo clippy --all-targets', status: 'error' }
  },
}

const golangci: Program = {
  program: 'golangci-lint',
  write(sheet) {
    const place = (): string =>
      `${folder(sheet)}/${noun(sheet)}.go:${sheet.between(1, 400)}:${sheet.between(1, 40)}`
    const finding = (text: string, mark?: Marked['kind']): Row => {
      const line = `${place()}: ${text}`
      return {
        lines: [
          mark === undefined ? line : { kind: mark, text: line },
          `\t${noun(sheet)}, _ := ${functionName(sheet)}(ctx, ${noun(sheet)})`,
          '\t^',
        ],
      }
    }
    sheet.fill(
      () =>
        finding(
          `exported function ${typeName(sheet)} should have comment or be unexported (revive)`,
        ),
      [
        finding(
          `Error return value of \`${noun(sheet)}.Close\` is not checked (errcheck)`,
          'failure',
        ),
        finding(`SA5011: possible nil pointer dereference (staticcheck)`, 'failure'),
        finding(`G404: Use of weak random number generator (gosec)`, 'exception'),
        finding(`loop variable ${noun(sheet)} captured by func literal (govet)`, 'exception'),
      ],
    )
    sheet.line('62 issues:')
    for (const [name, count] of [
      ['revive', 58],
      ['errcheck', 1],
      ['staticcheck', 1],
      ['gosec', 1],
      ['govet', 1],
    ] as const)
      sheet.mark('summary', `* ${name}: ${count}`)
    return { command: 'golangci-lint run ./...', status: 'error' }
  },
}

const rubocop: Program = {
  program: 'rubocop',
  write(sheet) {
    sheet.line('Inspecting 812 files', '', 'Offenses:', '')
    const offense = (severity: string, cop: string, text: string, isMarked: boolean): Row => {
      const line = `app/${noun(sheet)}s/${noun(sheet)}.rb:${sheet.between(1, 300)}:${sheet.between(1, 90)}: ${severity}: ${cop}: ${text}`
      return {
        lines: [
          isMarked
            ? {
                kind: severity === 'C' ? 'exception' : severity === 'W' ? 'warning' : 'failure',
                text: line,
              }
            : line,
          `    ${noun(sheet)} = ${snakeName(sheet)}(${noun(sheet)}, ${noun(sheet)})`,
          '    ^^^^^',
        ],
      }
    }
    sheet.fill(
      () =>
        offense(
          'C',
          '[Correctable] Style/StringLiterals',
          "Prefer single-quoted strings when you don't need interpolation.",
          false,
        ),
      [
        offense('E', 'Lint/Syntax', 'unexpected token tRCURLY', true),
        offense(
          'W',
          'Lint/UselessAssignment',
          `Useless assignment to variable - ${noun(sheet)}.`,
          true,
        ),
        offense(
          'F',
          'Lint/DuplicateMethods',
          `Method ${snakeName(sheet)} is defined at both places.`,
          true,
        ),
        offense('C', 'Security/Eval', 'The use of `eval` is a serious security risk.', true),
      ],
    )
    sheet.line('')
    sheet.mark('summary', '812 files inspected, 94 offenses detected, 90 offenses autocorrectable')
    return { command: 'bundle exec rubocop', status: 'error' }
  },
}

const pylint: Program = {
  program: 'pylint',
  write(sheet) {
    const message = (code: string, text: string, name: string): string =>
      `src/${noun(sheet)}/${noun(sheet)}.py:${sheet.between(1, 500)}:${sheet.below(20)}: ${code}: ${text} (${name})`
    sheet.fill(
      () => message('C0116', 'Missing function or method docstring', 'missing-function-docstring'),
      [
        {
          kind: 'failure',
          text: message(
            'E1101',
            `Instance of '${typeName(sheet)}' has no '${noun(sheet)}' member`,
            'no-member',
          ),
        },
        {
          kind: 'failure',
          text: message('E0602', `Undefined variable '${noun(sheet)}'`, 'undefined-variable'),
        },
        {
          kind: 'warning',
          text: message(
            'W0640',
            `Cell variable ${noun(sheet)} defined in loop`,
            'cell-var-from-loop',
          ),
        },
        {
          kind: 'exception',
          text: message(
            'R0401',
            `Cyclic import (${noun(sheet)} -> ${noun(sheet)})`,
            'cyclic-import',
          ),
        },
      ],
    )
    sheet.line('', '-'.repeat(66))
    sheet.mark('summary', 'Your code has been rated at 6.14/10 (previous run: 8.02/10, -1.88)')
    return { command: 'pylint src', status: 'error' }
  },
}

const phpstan: Program = {
  program: 'phpstan',
  write(sheet) {
    const rule = ' ------ ----------------------------------------------------------------------- '
    const block = (text: string, isMarked: boolean): Row => {
      const file = `  Line   app/${typeName(sheet)}.php`
      const line = `  ${String(sheet.between(1, 900)).padEnd(6)} ${text}`
      return {
        lines: [
          rule,
          isMarked ? { kind: 'failure', text: file } : file,
          rule,
          isMarked ? { kind: 'failure', text: line } : line,
          '         🪪  missingType.iterableValue',
          rule,
          '',
        ],
      }
    }
    sheet.fill(
      () =>
        block(
          `Method ${typeName(sheet)}::${functionName(sheet)}() has no return type specified.`,
          false,
        ),
      [
        block(
          `Call to an undefined method App\\${typeName(sheet)}::${functionName(sheet)}().`,
          true,
        ),
        block(`Access to an undefined property App\\${typeName(sheet)}::$${noun(sheet)}.`, true),
        block('Unreachable statement - code above always terminates.', true),
      ],
    )
    sheet.mark('summary', ' [ERROR] Found 88 errors')
    return { command: 'vendor/bin/phpstan analyse', status: 'error' }
  },
}

const shellcheck: Program = {
  program: 'shellcheck gcc',
  write(sheet) {
    const note = (level: string, text: string, code: number): string =>
      `scripts/${noun(sheet)}-${noun(sheet)}.sh:${sheet.between(1, 300)}:${sheet.between(1, 40)}: ${level}: ${text} [SC${code}]`
    sheet.fill(
      () => note('note', 'Double quote to prevent globbing and word splitting.', 2086),
      [
        { kind: 'failure', text: note('error', "Couldn't parse this if expression.", 1073) },
        { kind: 'warning', text: note('warning', "Use 'cd ... || exit' in case cd fails.", 2164) },
        {
          kind: 'warning',
          text: note('warning', `rm -rf "$${noun(sheet)}/" may expand to / .`, 2115),
        },
      ],
    )
    return { command: 'shellcheck -f gcc scripts/*.sh', status: 'error' }
  },
}

const semgrep: Program = {
  program: 'semgrep scan',
  write(sheet) {
    const finding = (rule: string, text: string, isMarked: boolean): Row => {
      const file = `    ${sourceFile(sheet, 'py')}`
      const head = `    ❯❱ python.${rule}`
      return {
        lines: [
          isMarked ? { kind: 'exception', text: file } : file,
          isMarked ? { kind: 'exception', text: head } : head,
          `          ${text}`,
          '',
          `           ${sheet.between(10, 400)}┆ ${noun(sheet)} = ${snakeName(sheet)}(${noun(sheet)})`,
          '',
        ],
      }
    }
    sheet.line('', '┌──────────────────┐', '│ 74 Code Findings │', '└──────────────────┘', '')
    sheet.fill(
      () =>
        finding(
          'lang.best-practice.logging-format',
          'Use lazy formatting in logging calls.',
          false,
        ),
      [
        finding(
          'lang.security.audit.sqli',
          'Detected string concatenation with a non-literal variable in an SQL statement.',
          true,
        ),
        finding(
          'lang.security.deserialization.pickle',
          'Avoid using pickle, which is known to lead to code execution.',
          true,
        ),
      ],
    )
    sheet.line('┌──────────────┐', '│ Scan Summary │', '└──────────────┘')
    sheet.mark('summary', '✅ Scan completed successfully.')
    sheet.mark('summary', ' • Findings: 74 (74 blocking)')
    return { command: 'semgrep scan --config auto', status: 'error' }
  },
}

const trivy: Program = {
  program: 'trivy image',
  write(sheet) {
    const widths = [26, 20, 12, 12, 22, 22]
    const rule = `├${widths.map((width) => '─'.repeat(width)).join('┼')}┤`
    const draw = (cells: readonly string[]): string =>
      `│${cells.map((cell, at) => ` ${cell.padEnd(widths[at]! - 1)}`).join('│')}│`
    sheet.mark('summary', 'Total: 118 (UNKNOWN: 0, LOW: 114, MEDIUM: 0, HIGH: 3, CRITICAL: 1)')
    sheet.line(
      '',
      draw([
        'Library',
        'Vulnerability',
        'Severity',
        'Status',
        'Installed Version',
        'Fixed Version',
      ]),
    )
    const row = (severity: string, fixed: string): Row => {
      const name = `lib${noun(sheet)}${sheet.below(9)}`
      const text = draw([
        name,
        `CVE-2026-${sheet.between(1000, 9999)}`,
        severity,
        fixed === '' ? 'affected' : 'fixed',
        `${sheet.below(9)}.${sheet.below(30)}-${sheet.below(9)}`,
        fixed,
      ])
      return { lines: [rule, severity === 'LOW' ? text : { kind: 'exception', text }], name }
    }
    sheet.fill(
      () => row('LOW', ''),
      [row('CRITICAL', '3.0.14-1'), row('HIGH', '1.2.9-2'), row('HIGH', '')],
    )
    sheet.line(`└${widths.map((width) => '─'.repeat(width)).join('┴')}┘`)
    return { command: 'trivy image registry.example.com/shop:latest' }
  },
}

const checkstyle: Program = {
  program: 'checkstyle XML',
  write(sheet) {
    sheet.line('<?xml version="1.0" encoding="UTF-8"?>', '<checkstyle version="10.12.4">')
    const file = (error: string, isMarked: boolean): Row => {
      const name = `src/main/java/com/acme/${typeName(sheet)}.java`
      const head = `<file name="${name}">`
      const line = `<error line="${sheet.between(1, 500)}" column="${sheet.between(1, 80)}" ${error}/>`
      return {
        lines: [
          isMarked ? { kind: 'exception', text: head } : head,
          isMarked ? { kind: 'exception', text: line } : line,
          '</file>',
        ],
        name,
      }
    }
    const usual =
      'severity="warning" message="Line is longer than 100 characters." source="LineLengthCheck"'
    sheet.fill(
      () => file(usual, false),
      [
        file(
          'severity="error" message="Switch without default clause." source="MissingSwitchDefaultCheck"',
          true,
        ),
        file(
          'severity="warning" message="Inner assignments should be avoided." source="InnerAssignmentCheck"',
          true,
        ),
      ],
    )
    sheet.line('</checkstyle>')
    return { command: 'cat target/checkstyle-result.xml' }
  },
}

const flake8: Program = {
  program: 'flake8 grouped',
  write(sheet) {
    const group = (texts: readonly (string | Marked)[]): Row => ({
      lines: [`./${sourceFile(sheet, 'py')}`, ...texts],
    })
    const usual = (): string =>
      `    ${sheet.between(1, 400)}:${sheet.between(80, 99)}: E501 line too long (${sheet.between(80, 120)} > 79 characters)`
    const odd = (text: string): Marked => ({
      kind: 'exception',
      text: `    ${sheet.between(1, 400)}:${sheet.between(1, 40)}: ${text}`,
    })
    sheet.fill(
      () => group(Array.from({ length: sheet.between(2, 6) }, usual)),
      [
        () => group([usual(), odd(`F821 undefined name '${noun(sheet)}'`), usual()]),
        () =>
          group([
            usual(),
            odd(`F811 redefinition of unused '${functionName(sheet)}' from line 12`),
          ]),
        () =>
          group([
            odd('E999 IndentationError: unindent does not match any outer indentation level'),
            usual(),
          ]),
      ],
    )
    return { command: 'flake8 --format=grouped', status: 'error' }
  },
}

export const linters: readonly Program[] = [
  clippy,
  golangci,
  rubocop,
  pylint,
  phpstan,
  shellcheck,
  semgrep,
  trivy,
  checkstyle,
  flake8,
]
