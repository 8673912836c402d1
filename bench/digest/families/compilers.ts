import type { Marked, Program, Row, Sheet } from '../sheet.ts'
import { folder, functionName, noun, service, snakeName, timeAt, typeName } from '../words.ts'

const failure = (text: string, ...facts: readonly string[]): Marked =>
  facts.length === 0 ? { kind: 'failure', text } : { kind: 'failure', text, facts }

const warning = (text: string, ...facts: readonly string[]): Marked =>
  facts.length === 0 ? { kind: 'warning', text } : { kind: 'warning', text, facts }

const repeat = <Value>(count: number, make: () => Value): readonly Value[] =>
  Array.from({ length: count }, make)

const errorCount = (sheet: Sheet): number => sheet.pick([0, 1, 1, 1, 2, 3, 6])

const version = (sheet: Sheet): string =>
  `${sheet.below(5)}.${sheet.between(1, 30)}.${sheet.below(20)}`

const tsc: Program = {
  program: 'tsc',
  write(sheet) {
    const at = (p: number): string => `[${timeAt(p, 0.2)} AM]`
    const count = Math.max(1, errorCount(sheet))
    const name = (): string => `packages/${service(sheet)}-${noun(sheet)}`
    const error = (): Marked => {
      const file = `${name()}/src/${noun(sheet)}.ts(${sheet.between(4, 400)},${sheet.between(3, 40)})`
      const message = sheet.pick([
        `error TS2322: Type 'string | undefined' is not assignable to type '${typeName(sheet)}'.`,
        `error TS2339: Property '${functionName(sheet)}' does not exist on type '${typeName(sheet)}'.`,
        `error TS2345: Argument of type 'number' is not assignable to parameter of type '${typeName(sheet)}'.`,
        `error TS2307: Cannot find module './${noun(sheet)}.js' or its corresponding type declarations.`,
        `error TS6133: '${functionName(sheet)}' is declared but its value is never read.`,
      ])
      return failure(`${file}: ${message}`)
    }
    const planted = repeat(count, (): Row => {
      if (sheet.chance(0.7)) return error()
      return {
        lines: [
          error(),
          `  Type 'undefined' is not assignable to type '${typeName(sheet)}'.`,
          `    Property '${noun(sheet)}' is missing in type '{}'.`,
        ],
      }
    })
    const skipped = sheet.chance(0.5)
      ? [
          (p: number): Row => ({
            kind: 'exception',
            text: `${at(p)} Skipping build of project '${name()}/tsconfig.json' because its dependency '${name()}' has errors`,
          }),
        ]
      : []
    sheet.fill(
      (p) => {
        const project = name()
        const text = sheet.pick([
          `${at(p)} Project '${project}/tsconfig.json' is up to date because newest input '${project}/src/${noun(sheet)}.ts' is older than output '${project}/tsconfig.tsbuildinfo'`,
          `${at(p)} Project '${project}/tsconfig.json' is out of date because output '${project}/tsconfig.tsbuildinfo' is older than input '${project}/src/${noun(sheet)}-errors.ts'`,
          `${at(p)} Building project '${project}/tsconfig.json'...`,
          `${at(p)} Updating unchanged output timestamps of project '${project}/tsconfig.json'...`,
        ])
        return { lines: [text, ''], name: project }
      },
      [...planted, ...skipped],
    )
    return { command: 'npx tsc -b --verbose --pretty false', status: 'error' }
  },
}

const make: Program = {
  program: 'make',
  write(sheet) {
    const file = (): string => `src/${noun(sheet)}/${noun(sheet)}_${noun(sheet)}`
    const place = (name: string): string =>
      `${name}.c:${sheet.between(10, 900)}:${sheet.between(3, 40)}`
    const compile = (name: string): string =>
      `gcc -std=c17 -O2 -g -Wall -Wextra -Iinclude -Ibuild/gen -c -o build/${name.slice(4)}.o ${name}.c`
    const count = errorCount(sheet)
    const errors = repeat(count, (): Row => {
      const name = file()
      const member = snakeName(sheet)
      const [message, code] = sheet.pick([
        [
          `error: ‘struct ${noun(sheet)}’ has no member named ‘${member}’`,
          `    return self->${member};`,
        ],
        [
          `error: implicit declaration of function ‘${member}’ [-Wimplicit-function-declaration]`,
          `    ${member}(ctx);`,
        ],
        [`error: expected ‘;’ before ‘return’`, `    int n = ${member}()`],
      ] as const)
      return {
        lines: [
          compile(name),
          `${name}.c: In function ‘${snakeName(sheet)}’:`,
          failure(`${place(name)}: ${message}`),
          `  ${sheet.between(10, 900)} | ${code}`,
          '      |               ^~~~',
          failure(
            `make: *** [Makefile:${sheet.between(20, 90)}: build/${name.slice(4)}.o] Error 1`,
            `build/${name.slice(4)}.o] Error 1`,
          ),
        ],
      }
    })
    const warnings = repeat(sheet.between(1, 3), (): Row => {
      const name = file()
      const [message, code] = sheet.pick([
        [
          `warning: unused variable ‘${noun(sheet)}’ [-Wunused-variable]`,
          `    int ${noun(sheet)};`,
        ],
        [
          'warning: comparison of integer expressions of different signedness: ‘int’ and ‘size_t’ [-Wsign-compare]',
          '    for (int i = 0; i < len; i++)',
        ],
        [
          `warning: ‘${snakeName(sheet)}’ may be used uninitialized [-Wmaybe-uninitialized]`,
          '    return total;',
        ],
      ] as const)
      return {
        lines: [
          compile(name),
          `${name}.c: In function ‘${snakeName(sheet)}’:`,
          warning(`${place(name)}: ${message}`),
          `  ${sheet.between(10, 900)} | ${code}`,
          '      |         ^~~~',
        ],
      }
    })
    sheet.fill(
      () => {
        const name = file()
        return { lines: [compile(name)], name: `${name}.c` }
      },
      sheet.some([...errors, ...warnings], count + warnings.length),
    )
    if (count > 0) {
      sheet.mark('exit', "make: Target 'all' not remade because of errors.")
      return { command: 'make -k -j8 all', status: 'error' }
    }
    sheet.line('gcc -o build/shopd @build/objects.txt -lpthread -lssl')
    if (sheet.chance(0.5)) return { command: 'make -k -j8 all' }
    const symbol = snakeName(sheet)
    sheet.line(`/usr/bin/ld: build/main.o: in function \`main':`)
    sheet.row(failure(`src/main.c:${sheet.between(10, 90)}: undefined reference to \`${symbol}'`))
    sheet.line('collect2: error: ld returned 1 exit status')
    sheet.mark('exit', 'make: *** [Makefile:31: build/shopd] Error 1')
    return { command: 'make -k -j8 all', status: 'error' }
  },
}

const cargoBuild: Program = {
  program: 'cargo build',
  write(sheet) {
    const count = errorCount(sheet)
    const block = (
      mark: (text: string, ...facts: readonly string[]) => Marked,
      title: string,
      code: string,
      hint: string,
    ): Row => {
      const line = sheet.between(10, 900)
      return {
        lines: [
          mark(title),
          mark(`  --> crates/${noun(sheet)}/src/${noun(sheet)}.rs:${line}:${sheet.between(5, 40)}`),
          '    |',
          `${String(line).padEnd(4)}|     ${code}`,
          `    |         ^^^^^^ ${hint}`,
          '',
        ],
      }
    }
    const errors = repeat(count, () => {
      const name = snakeName(sheet)
      return sheet.pick([
        block(
          failure,
          `error[E0425]: cannot find function \`${name}\` in this scope`,
          `let x = ${name}();`,
          'not found in this scope',
        ),
        block(
          failure,
          `error[E0382]: borrow of moved value: \`${name}\``,
          `send(&${name});`,
          'value borrowed here after move',
        ),
        block(
          failure,
          `error[E0277]: the trait bound \`${typeName(sheet)}: Serialize\` is not satisfied`,
          `to_string(&${name})?;`,
          'the trait `Serialize` is not implemented',
        ),
      ])
    })
    const warnings = repeat(sheet.between(1, 3), () => {
      const name = snakeName(sheet)
      return sheet.pick([
        block(warning, `warning: unused variable: \`${name}\``, `let ${name} = 1;`, 'help: prefix'),
        block(
          warning,
          `warning: function \`${name}\` is never used`,
          `fn ${name}() {`,
          'note: `#[warn(dead_code)]` on by default',
        ),
        block(
          warning,
          `warning: use of deprecated method \`${typeName(sheet)}::${name}\`: use \`try_${name}\``,
          `client.${name}();`,
          'note: `#[warn(deprecated)]` on by default',
        ),
      ])
    })
    sheet.line(
      '    Updating crates.io index',
      '     Locking 312 packages to latest compatible versions',
    )
    sheet.fill(
      () => {
        const name = `${noun(sheet)}-${noun(sheet)}`
        const step = sheet.pick(['   Compiling', '   Compiling', '  Downloaded', '    Checking'])
        const own = step === '   Compiling' && sheet.chance(0.15)
        const text = `${step} ${name} v${version(sheet)}${own ? ` (/app/crates/${name})` : ''}`
        return { lines: [text], name }
      },
      sheet.some([...errors, ...warnings], count + warnings.length),
    )
    const total = `${warnings.length} warning${warnings.length === 1 ? '' : 's'}`
    if (count === 0) {
      sheet.mark('summary', `warning: \`shop\` (lib) generated ${total}`)
      sheet.mark(
        'summary',
        `    Finished \`dev\` profile [unoptimized + debuginfo] target(s) in ${sheet.between(12, 58)}.31s`,
      )
      return { command: 'cargo build --workspace' }
    }
    const plural = count === 1 ? 'previous error' : `${count} previous errors`
    sheet.mark(
      'summary',
      `error: could not compile \`shop\` (lib) due to ${plural}; ${total} emitted`,
    )
    return { command: 'cargo build --workspace', status: 'error' }
  },
}

const mavenCompile: Program = {
  program: 'maven compile',
  write(sheet) {
    const modules = sheet.some(
      repeat(14, () => `shop-${service(sheet)}-${noun(sheet)}`),
      sheet.between(2, 3) + sheet.variant * 2,
    )
    const bad = sheet.below(modules.length)
    sheet.line('[INFO] Scanning for projects...')
    const errors: Marked[] = []
    for (const [index, module] of modules.entries()) {
      sheet.line(
        `[INFO] ${`-< com.acme:${module} >-`.padStart(48, '-').padEnd(72, '-')}`,
        `[INFO] Building ${module} 2.14.0-SNAPSHOT  [${index + 1}/${modules.length}]`,
        '[INFO] --- resources:3.3.1:resources (default-resources) ---',
      )
      const java = (): string =>
        `${module}/src/main/java/com/acme/${noun(sheet)}/${typeName(sheet)}.java`
      const planted: Row[] = sheet.chance(0.2)
        ? [
            warning(
              `[WARNING] ${java()}:[${sheet.between(10, 400)},${sheet.between(3, 40)}] [deprecation] ${functionName(sheet)}() in ${typeName(sheet)} has been deprecated`,
            ),
          ]
        : []
      sheet.fill(
        () => {
          const name = `${noun(sheet)}-${noun(sheet)}`
          const file = `${name}-${version(sheet)}.${sheet.pick(['jar', 'pom'])}`
          return {
            lines: [
              `[INFO] Downloaded from central: https://repo.maven.apache.org/maven2/org/${noun(sheet)}/${name}/${file} (${sheet.between(2, 900)} kB at ${sheet.between(1, 9)}.${sheet.below(10)} MB/s)`,
            ],
            name: file,
          }
        },
        planted,
        1 / (modules.length - index),
      )
      sheet.line('[INFO] --- compiler:3.13.0:compile (default-compile) ---')
      sheet.line(
        `[INFO] Compiling ${sheet.between(4, 190)} source files with javac to target/classes`,
      )
      if (index !== bad) continue
      sheet.line('[ERROR] COMPILATION ERROR : ')
      for (let left = sheet.between(1, 3); left > 0; left--) {
        const symbol = functionName(sheet)
        const error = failure(
          `[ERROR] ${java()}:[${sheet.between(10, 400)},${sheet.between(3, 40)}] cannot find symbol`,
        )
        errors.push(error)
        sheet.row(error)
        sheet.row(failure(`[ERROR]   symbol:   method ${symbol}(java.lang.String)`))
        sheet.row(failure(`[ERROR]   location: class com.acme.${noun(sheet)}.${typeName(sheet)}`))
      }
      sheet.line(`[INFO] ${errors.length} error${errors.length === 1 ? '' : 's'} `)
    }
    sheet.line('[INFO] Reactor Summary for shop 2.14.0-SNAPSHOT:', '[INFO] ')
    for (const [index, module] of modules.entries()) {
      const text = `[INFO] ${`${module} `.padEnd(52, '.')}`
      if (index === bad) sheet.mark('summary', `${text} FAILURE [  1.204 s]`)
      else sheet.line(`${text} SUCCESS [  ${sheet.between(1, 9)}.${sheet.between(100, 999)} s]`)
    }
    sheet.line('[INFO] BUILD FAILURE', '[INFO] Total time:  41.204 s')
    sheet.line(
      `[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile (default-compile) on project ${modules[bad]}: Compilation failure`,
      ...errors.map(({ text }) => text),
      '[ERROR] -> [Help 1]',
    )
    return { command: 'mvn -B --fail-at-end compile', status: 'error' }
  },
}

/** Hundreds of warnings of three rules are ordinary here. Errors and a warning of another rule are not. */
const eslint: Program = {
  program: 'eslint',
  write(sheet) {
    const file = (): string => `${folder(sheet)}/${noun(sheet)}-${noun(sheet)}.ts`
    const problem = (level: string, message: string, name: string): string =>
      `  ${`${sheet.between(1, 400)}:${sheet.between(1, 60)}`.padStart(7)}  ${level.padEnd(7)}  ${message.padEnd(58)}  ${name}`
    const usual = (): string => {
      const [message, name] = sheet.pick([
        ['Unexpected console statement', 'no-console'],
        ['Unexpected any. Specify a different type', '@typescript-eslint/no-explicit-any'],
        ['Missing return type on function', '@typescript-eslint/explicit-function-return-type'],
      ] as const)
      return problem('warning', message, name)
    }
    const odd = (line: Marked, path: string): Row => ({
      lines: [
        { kind: line.kind, text: path, facts: [path] },
        ...repeat(sheet.below(4), usual),
        line,
        ...repeat(sheet.below(3), usual),
        '',
      ],
    })
    const errors = errorCount(sheet)
    const planted = repeat(errors, () => {
      const [message, name] = sheet.pick([
        [`'${functionName(sheet)}' is not defined`, 'no-undef'],
        ['Promises must be awaited', '@typescript-eslint/no-floating-promises'],
        ['Unreachable code', 'no-unreachable'],
        ['Parsing error: Declaration or statement expected', ''],
      ] as const)
      return odd(failure(problem('error', message, name).trimEnd()), file())
    })
    const rare = sheet.chance(0.6)
      ? [
          odd(
            warning(
              problem(
                'warning',
                `React Hook useEffect has a missing dependency: '${noun(sheet)}'`,
                'react-hooks/exhaustive-deps',
              ),
            ),
            file(),
          ),
        ]
      : []
    const warnings = new Map<number, number>()
    sheet.fill(
      (p) => {
        const path = file()
        const count = sheet.between(1, 6)
        warnings.set(p, count)
        return { lines: [path, ...repeat(count, usual), ''], name: path }
      },
      sheet.some([...planted, ...rare], errors + rare.length),
    )
    const total = [...warnings.values()].reduce((sum, count) => sum + count, rare.length)
    sheet.mark(
      'summary',
      `✖ ${total + errors} problems (${errors} error${errors === 1 ? '' : 's'}, ${total} warnings)`,
    )
    return { command: 'npx eslint .', status: errors > 0 ? 'error' : 'completed' }
  },
}

/** Notes of mypy and long lines of ruff are ordinary here. */
const pythonChecks: Program = {
  program: 'mypy and ruff',
  write(sheet) {
    const isMypy = sheet.variant % 2 === 0
    const count = Math.max(1, errorCount(sheet))
    const file = (): string => `shop/${noun(sheet)}/${noun(sheet)}_${noun(sheet)}.py`
    const place = (): string =>
      `${file()}:${sheet.between(4, 900)}${isMypy ? '' : `:${sheet.between(1, 40)}`}`
    const planted = repeat(count, (): Row => {
      const messages = isMypy
        ? [
            `error: Argument 1 to "${snakeName(sheet)}" has incompatible type "str"; expected "int"  [arg-type]`,
            `error: "${typeName(sheet)}" has no attribute "${snakeName(sheet)}"  [attr-defined]`,
            `error: Item "None" of "${typeName(sheet)} | None" has no attribute "id"  [union-attr]`,
          ]
        : [
            `F821 Undefined name \`${snakeName(sheet)}\``,
            `F811 Redefinition of unused \`${snakeName(sheet)}\` from line ${sheet.between(4, 90)}`,
            `B006 Do not use mutable data structures for argument defaults`,
          ]
      return failure(`${place()}: ${sheet.pick(messages)}`)
    })
    let rows = 0
    sheet.fill((p) => {
      rows = p + 1
      const at = place()
      const text = isMypy
        ? 'note: By default the bodies of untyped functions are not checked, consider using --check-untyped-defs  [annotation-unchecked]'
        : `E501 Line too long (${sheet.between(101, 160)} > 100)`
      return { lines: [`${at}: ${text}`], name: at }
    }, planted)
    if (isMypy) {
      sheet.mark(
        'summary',
        `Found ${count} error${count === 1 ? '' : 's'} in ${count} file${count === 1 ? '' : 's'} (checked ${rows} source files)`,
      )
      return { command: 'mypy shop', status: 'error' }
    }
    sheet.mark('summary', `Found ${rows} errors.`)
    return { command: 'ruff check --output-format=concise shop', status: 'error' }
  },
}

export const compilers: readonly Program[] = [
  tsc,
  make,
  cargoBuild,
  mavenCompile,
  eslint,
  pythonChecks,
]
