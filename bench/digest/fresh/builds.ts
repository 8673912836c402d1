import type { Marked, Program, Row } from '../sheet.ts'
import {
  functionName,
  noun,
  service,
  slug,
  snakeName,
  sourceFile,
  timeAt,
  typeName,
} from '../words.ts'

const bazel: Program = {
  program: 'bazel test',
  write(sheet) {
    sheet.line(
      'INFO: Invocation ID: 5b1f2c9e-77a1-4c5e-9f10-3ab1c7d9e011',
      'INFO: Analyzed 611 targets (0 packages loaded, 0 targets configured).',
    )
    const target = (): string => `//${service(sheet)}/${noun(sheet)}:${noun(sheet)}_test`
    const result = (verdict: string): string =>
      `${target().padEnd(60)} ${verdict} in ${sheet.between(0, 9)}.${sheet.below(10)}s`
    sheet.fill(
      () => (sheet.chance(0.7) ? result('(cached) PASSED') : result('PASSED')),
      [
        { kind: 'failure', text: result('FAILED') },
        { kind: 'failure', text: result('TIMEOUT') },
        { kind: 'exception', text: result('FLAKY, failed in 1 out of 3') },
        { kind: 'failure', text: `${target().padEnd(60)} FAILED TO BUILD` },
        { kind: 'exception', text: `${target().padEnd(60)} NO STATUS` },
      ],
    )
    sheet.line('')
    sheet.mark(
      'summary',
      'Executed 188 out of 611 tests: 606 tests pass, 2 fail locally, 1 was skipped.',
    )
    return { command: 'bazel test //...', status: 'error' }
  },
}

const swift: Program = {
  program: 'swift build',
  write(sheet) {
    let step = 0
    const compile = (): Row =>
      `[${++step}/1204] Compiling ${typeName(sheet)} ${typeName(sheet)}.swift`
    const diagnostic = (kind: Marked['kind'], level: string, text: string): Row => ({
      lines: [
        {
          kind,
          text: `/repo/Sources/${typeName(sheet)}/${typeName(sheet)}.swift:${sheet.between(1, 400)}:${sheet.between(1, 60)}: ${level}: ${text}`,
        },
        `        let ${noun(sheet)} = ${functionName(sheet)}(${noun(sheet)})`,
        '            ^',
      ],
    })
    sheet.fill(compile, [
      diagnostic(
        'failure',
        'error',
        `cannot convert value of type 'String' to expected argument type '${typeName(sheet)}'`,
      ),
      diagnostic('warning', 'warning', `'${functionName(sheet)}' was deprecated in iOS 17.0`),
      diagnostic('warning', 'warning', `capture of '${noun(sheet)}' with non-sendable type`),
    ])
    sheet.mark('failure', 'error: fatalError')
    return { command: 'swift build', status: 'error' }
  },
}

const ninja: Program = {
  program: 'cmake and ninja',
  write(sheet) {
    sheet.line(
      '-- The CXX compiler identification is GNU 13.2.0',
      '-- Found ZLIB: /usr/lib/libz.so (found version "1.3")',
    )
    sheet.mark(
      'warning',
      `-- Could NOT find ${typeName(sheet)} (missing: ${typeName(sheet).toUpperCase()}_LIBRARY)`,
    )
    let step = 0
    const built = (): Row =>
      `[${++step}/881] Building CXX object src/CMakeFiles/${service(sheet)}.dir/${noun(sheet)}/${noun(sheet)}.cpp.o`
    sheet.fill(built, [
      {
        lines: [
          {
            kind: 'failure',
            text: `FAILED: src/CMakeFiles/${service(sheet)}.dir/${noun(sheet)}.cpp.o`,
          },
          '/usr/bin/c++ -O2 -Wall -std=c++20 -c ../src/x.cpp',
          {
            kind: 'failure',
            text: `../src/${noun(sheet)}.cpp:${sheet.between(1, 400)}:12: error: no matching function for call to '${functionName(sheet)}(int&)'`,
          },
        ],
      },
      {
        lines: [
          {
            kind: 'warning',
            text: `../src/${noun(sheet)}.hpp:${sheet.between(1, 400)}:8: warning: comparison of integer expressions of different signedness [-Wsign-compare]`,
          },
        ],
      },
    ])
    sheet.mark('failure', 'ninja: build stopped: subcommand failed.')
    return { command: 'cmake --build build', status: 'error' }
  },
}

const sbt: Program = {
  program: 'sbt test',
  write(sheet) {
    sheet.line(
      '[info] welcome to sbt 1.9.9 (Eclipse Adoptium Java 21.0.2)',
      '[info] loading project definition from /repo/project',
    )
    const usual = (): Row => ({
      lines: [
        `[info] - should ${noun(sheet)} the ${noun(sheet)} (${sheet.between(1, 90)} milliseconds)`,
      ],
    })
    sheet.fill(usual, [
      {
        lines: [
          {
            kind: 'failure',
            text: `[info] - should keep the ${noun(sheet)} *** FAILED *** (12 milliseconds)`,
          },
          {
            kind: 'failure',
            text: `[info]   ${sheet.between(1, 90)} did not equal ${sheet.between(100, 190)} (${typeName(sheet)}Spec.scala:${sheet.between(1, 300)})`,
          },
        ],
      },
      { kind: 'exception', text: `[info] - should retry the ${noun(sheet)} !!! IGNORED !!!` },
      {
        kind: 'warning',
        text: `[warn] /repo/src/main/scala/${typeName(sheet)}.scala:${sheet.between(1, 300)}:7: match may not be exhaustive.`,
      },
    ])
    sheet.mark('summary', '[info] Tests: succeeded 611, failed 1, canceled 0, ignored 1, pending 0')
    sheet.mark('failure', '[error] Failed tests:')
    sheet.mark('failure', `[error] \tcom.acme.${typeName(sheet)}Spec`)
    sheet.mark('failure', '[error] (Test / test) sbt.TestsFailedException: Tests unsuccessful')
    return { command: 'sbt test', status: 'error' }
  },
}

const webpack: Program = {
  program: 'webpack',
  write(sheet) {
    const asset = (size: string, more: string, name: string): string =>
      `asset ${name} ${size} [emitted] [minimized]${more}`
    const chunk = (): string => `${sheet.between(100, 999)}.${sheet.hex(8)}.js`
    sheet.fill(
      () => asset(`${sheet.between(2, 90)}.${sheet.below(9)} KiB`, '', chunk()),
      [
        {
          kind: 'exception',
          text: asset('4.81 MiB', ' [big] (name: vendor)', `vendor.${sheet.hex(8)}.js`),
        },
        {
          kind: 'exception',
          text: asset('18.1 KiB', ' [immutable] (name: runtime)', `runtime.${sheet.hex(8)}.js`),
        },
      ],
    )
    sheet.line('')
    sheet.mark(
      'warning',
      'WARNING in asset size limit: The following asset(s) exceed the recommended size limit (244 KiB).',
    )
    sheet.mark('failure', `ERROR in ./${sourceFile(sheet, 'ts')} ${sheet.between(1, 90)}:11-28`)
    sheet.mark(
      'failure',
      `Module not found: Error: Can't resolve './${slug(sheet)}' in '/repo/src'`,
    )
    sheet.mark('summary', 'webpack 5.91.0 compiled with 1 error and 1 warning in 48112 ms')
    return { command: 'npx webpack', status: 'error' }
  },
}

const flutter: Program = {
  program: 'flutter analyze',
  write(sheet) {
    sheet.line('Analyzing app...', '')
    const issue = (level: string, text: string, rule: string): string =>
      `   ${level} • ${text} • lib/${noun(sheet)}/${noun(sheet)}_${noun(sheet)}.dart:${sheet.between(1, 400)}:${sheet.between(1, 60)} • ${rule}`
    sheet.fill(
      () =>
        issue(
          'info',
          "Use 'const' with the constructor to improve performance",
          'prefer_const_constructors',
        ),
      [
        {
          kind: 'failure',
          text: issue(
            'error',
            `The method '${functionName(sheet)}' isn't defined for the type '${typeName(sheet)}'`,
            'undefined_method',
          ),
        },
        {
          kind: 'warning',
          text: issue(
            'warning',
            `The value of the local variable '${noun(sheet)}' isn't used`,
            'unused_local_variable',
          ),
        },
        {
          kind: 'exception',
          text: issue(
            'info',
            "Don't use 'BuildContext's across async gaps",
            'use_build_context_synchronously',
          ),
        },
      ],
    )
    sheet.line('')
    sheet.mark('summary', '118 issues found. (ran in 14.2s)')
    return { command: 'flutter analyze', status: 'error' }
  },
}

const pnpm: Program = {
  program: 'pnpm install',
  write(sheet) {
    sheet.line(
      'Scope: all 41 workspace projects',
      'Progress: resolved 1, reused 0, downloaded 0, added 0',
    )
    const name = (): string => `@${service(sheet)}/${noun(sheet)}-${noun(sheet)}`
    const usual = (): Row =>
      sheet.pick([
        `packages/${noun(sheet)} | + ${name()} ${sheet.below(9)}.${sheet.below(30)}.${sheet.below(9)}`,
        `packages/${noun(sheet)} | Progress: resolved ${sheet.between(100, 1900)}, reused ${sheet.between(100, 900)}, downloaded ${sheet.below(90)}, added ${sheet.below(90)}`,
      ])
    sheet.fill(usual, [
      {
        kind: 'warning',
        text: ` WARN  deprecated ${name()}@1.0.4: this package is no longer supported`,
      },
      { kind: 'failure', text: ` ERR_PNPM_PEER_DEP_ISSUES  Unmet peer dependencies: ${name()}` },
      { kind: 'exception', text: `└─┬ ${name()} 4.1.0` },
      { kind: 'exception', text: `  └── ✕ unmet peer react@^17.0.0: found 18.2.0` },
    ])
    sheet.mark('summary', 'Done in 38.4s')
    return { command: 'pnpm install', status: 'error' }
  },
}

const composer: Program = {
  program: 'composer update',
  write(sheet) {
    sheet.line('Loading composer repositories with package information', 'Updating dependencies')
    const name = (): string => `${service(sheet)}/${noun(sheet)}-${noun(sheet)}`
    const version = (): string => `v${sheet.between(1, 7)}.${sheet.below(30)}.${sheet.below(9)}`
    sheet.mark('summary', 'Lock file operations: 2 installs, 164 updates, 1 removal')
    sheet.fill(
      () => `  - Upgrading ${name()} (${version()} => ${version()})`,
      [
        { kind: 'change', text: `  - Removing ${name()} (${version()})` },
        { kind: 'change', text: `  - Locking ${name()} (dev-main 3f1c2aa)` },
        { kind: 'change', text: `  - Downgrading ${name()} (v7.1.0 => v6.4.2)` },
      ],
    )
    sheet.mark(
      'warning',
      `Package ${name()} is abandoned, you should avoid using it. No replacement was suggested.`,
    )
    sheet.mark(
      'failure',
      `Script @php artisan package:discover --ansi handling the post-autoload-dump event returned with error code 1`,
    )
    return { command: 'composer update', status: 'error' }
  },
}

const xcode: Program = {
  program: 'xcodebuild',
  write(sheet) {
    const usual = (): Row => ({
      lines: [
        `CompileSwift normal arm64 /repo/App/${typeName(sheet)}/${typeName(sheet)}.swift (in target 'App' from project 'App')`,
        '    cd /repo',
        '    builtin-swiftTaskExecution -- swift-frontend -frontend -c -primary-file',
        '',
      ],
    })
    sheet.fill(usual, [
      {
        lines: [
          {
            kind: 'failure',
            text: `/repo/App/${typeName(sheet)}.swift:${sheet.between(1, 400)}:21: error: value of type '${typeName(sheet)}' has no member '${noun(sheet)}'`,
          },
        ],
      },
      {
        lines: [
          {
            kind: 'warning',
            text: `ld: warning: directory not found for option '-L/repo/Vendor/${noun(sheet)}'`,
          },
        ],
      },
      {
        lines: [
          {
            kind: 'exception',
            text: `Touch /repo/Build/Products/${typeName(sheet)}.app (in target 'App' from project 'App')`,
          },
          '',
        ],
      },
    ])
    sheet.mark('failure', '** BUILD FAILED **')
    sheet.line('', '')
    sheet.mark('failure', 'The following build commands failed:')
    sheet.mark('failure', `\tCompileSwift normal arm64 /repo/App/${typeName(sheet)}.swift`)
    sheet.mark('summary', '(1 failure)')
    return { command: 'xcodebuild -scheme App build', status: 'error' }
  },
}

const mavenTree: Program = {
  program: 'mvn dependency tree',
  write(sheet) {
    sheet.line('[INFO] Scanning for projects...', `[INFO] com.acme:${service(sheet)}:jar:2.4.0`)
    const artifact = (): string =>
      `com.${service(sheet)}:${noun(sheet)}-${noun(sheet)}:jar:${sheet.between(1, 6)}.${sheet.below(20)}.${sheet.below(9)}`
    const usual = (): Row => {
      const id = artifact()
      return {
        lines: [`[INFO] ${sheet.pick(['+- ', '|  +- ', '|  |  \\- ', '|  \\- '])}${id}:compile`],
        name: id,
      }
    }
    sheet.fill(usual, [
      {
        kind: 'exception',
        text: `[INFO] |  +- (${artifact()}:compile - omitted for conflict with 1.2.17)`,
      },
      { kind: 'exception', text: `[INFO] |  \\- ${artifact()}:system` },
      {
        kind: 'exception',
        text: `[INFO] +- com.acme:legacy-${noun(sheet)}:jar:1.0-SNAPSHOT:compile`,
      },
      {
        kind: 'warning',
        text: `[WARNING] The POM for ${artifact()} is missing, no dependency information available`,
      },
    ])
    sheet.line(`[INFO] ${'-'.repeat(60)}`)
    sheet.mark('summary', '[INFO] BUILD SUCCESS')
    return { command: 'mvn dependency:tree -Dverbose' }
  },
}

const conda: Program = {
  program: 'conda install',
  write(sheet) {
    sheet.line(
      'Collecting package metadata (current_repodata.json): done',
      'Solving environment: done',
      '',
      '## Package Plan ##',
      '',
    )
    const plan = (mark: string, from: string, to: string): string =>
      `  ${`${noun(sheet)}-${noun(sheet)}`.padEnd(26)} ${from.padStart(28)} ${mark} ${to}`
    const build = (major: number): string => `${major}.${sheet.below(20)}-py311h${sheet.hex(7)}_0`
    sheet.line('The following packages will be UPDATED:', '')
    sheet.fill(() => plan('-->', build(2), build(3)), [])
    sheet.line('')
    sheet.mark('change', 'The following packages will be DOWNGRADED:')
    sheet.line('')
    for (let n = 0; n < 2; n++) sheet.mark('change', plan('-->', build(4), build(1)))
    sheet.line('')
    sheet.mark('change', 'The following packages will be REMOVED:')
    sheet.line('')
    sheet.mark('change', `  ${snakeName(sheet)}-1.4-py311_0`)
    sheet.fill(
      () =>
        `${noun(sheet)}-${sheet.below(9)}.${sheet.below(9)}        | ${sheet.between(10, 900)} KB   | ${'#'.repeat(20)} | 100%`,
      [
        {
          kind: 'failure',
          text: `CondaHTTPError: HTTP 000 CONNECTION FAILED for url <https://conda.example.com/${noun(sheet)}.conda>`,
        },
      ],
      0.3,
    )
    sheet.line(`Elapsed: ${timeAt(9)}`)
    return { command: 'conda install --file requirements.txt -y', status: 'error' }
  },
}

export const builds: readonly Program[] = [
  bazel,
  swift,
  ninja,
  sbt,
  webpack,
  flutter,
  pnpm,
  composer,
  xcode,
  mavenTree,
  conda,
]
