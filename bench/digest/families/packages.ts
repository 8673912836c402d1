import type { Marked, Program, Row, Sheet } from '../sheet.ts'
import { adjective, noun, person, snakeName } from '../words.ts'

const failure = (text: string, ...facts: readonly string[]): Marked =>
  facts.length === 0 ? { kind: 'failure', text } : { kind: 'failure', text, facts }

const version = (sheet: Sheet): string =>
  `${sheet.between(1, 9)}.${sheet.below(30)}.${sheet.below(20)}`

const packageName = (sheet: Sheet): string =>
  sheet.chance(0.15)
    ? `@${person(sheet)}/${noun(sheet)}-${noun(sheet)}`
    : `${adjective(sheet)}-${noun(sheet)}`

const npmInstall: Program = {
  program: 'npm install',
  write(sheet) {
    const command = 'npm install --loglevel=http'
    const name = packageName(sheet)
    const old = version(sheet)
    const odd: readonly Row[] = [
      {
        kind: 'warning',
        text: `npm warn deprecated ${name}@${old}: this version leaks memory, use ${noun(sheet)}-cache instead`,
      },
      {
        lines: [
          'npm warn ERESOLVE overriding peer dependency',
          `npm warn While resolving: ${packageName(sheet)}@${version(sheet)}`,
          {
            kind: 'warning',
            text: `npm warn Found: react@19.${sheet.below(9)}.${sheet.below(9)}`,
          },
          'npm warn node_modules/react',
          'npm warn Could not resolve dependency:',
          {
            kind: 'warning',
            text: `npm warn peer react@"^17.0.0" from ${packageName(sheet)}@${version(sheet)}`,
          },
        ],
      },
      {
        kind: 'warning',
        text: `npm warn EBADENGINE Unsupported engine { package: '${packageName(sheet)}@${version(sheet)}', required: { node: '>=22' }, current: { node: 'v20.11.1' } }`,
      },
      {
        kind: 'exception',
        text: `npm http fetch GET 200 https://registry.npmjs.org/${packageName(sheet)} ${sheet.between(28_000, 59_000)}ms (cache revalidated)`,
      },
      {
        kind: 'exception',
        text: `npm http fetch GET 200 https://${noun(sheet)}.mirror.example/${packageName(sheet)}/-/${noun(sheet)}-${version(sheet)}.tgz ${sheet.between(9, 90)}ms (cache miss)`,
      },
    ]
    sheet.fill(
      () => {
        const wanted = packageName(sheet)
        const tarball = sheet.chance(0.5)
          ? `/-/${wanted.split('/').at(-1)}-${version(sheet)}.tgz`
          : ''
        const cache = sheet.pick(['cache hit', 'cache miss', 'cache revalidated'])
        return {
          lines: [
            `npm http fetch GET 200 https://registry.npmjs.org/${wanted}${tarball} ${sheet.between(9, 900)}ms (${cache})`,
          ],
          name: wanted,
        }
      },
      sheet.some(odd, sheet.between(1, 3)),
    )
    if (sheet.chance(0.4)) {
      const native = `${adjective(sheet)}-sqlite`
      sheet.line('npm error code 1')
      sheet.row(failure(`npm error path node_modules/${native}`, native))
      sheet.row(failure('npm error command sh -c node-gyp rebuild'))
      sheet.line(
        'npm error gyp info it worked if it ends with ok',
        'npm error gyp info using node-gyp@10.1.0',
      )
      sheet.row(
        failure('npm error gyp ERR! find Python You need to install the latest version of Python.'),
      )
      sheet.line(
        'npm error gyp ERR! node -v v20.11.1',
        'npm error gyp ERR! not ok',
        'npm error A complete log of this run can be found in: ~/.npm/_logs/debug-0.log',
      )
      return { command, status: 'error' }
    }
    const count = sheet.between(300, 1_400)
    sheet.line('')
    sheet.mark('summary', `added ${count} packages, and audited ${count + 1} packages in 31s`)
    sheet.line(
      '',
      `${sheet.between(40, 200)} packages are looking for funding`,
      '  run `npm fund` for details',
      '',
    )
    const bad = sheet.below(9)
    sheet.mark(
      'summary',
      bad === 0
        ? 'found 0 vulnerabilities'
        : `${bad + 2} vulnerabilities (${bad} moderate, 2 critical)`,
    )
    return { command }
  },
}

/** Many moderate reports of one kind, and a few that are severe or have no fix. */
const npmAudit: Program = {
  program: 'npm audit',
  write(sheet) {
    const report = (severity: string, fix: string): readonly [string, string[], string] => {
      const name = packageName(sheet)
      return [
        name,
        [
          `Severity: ${severity}`,
          `${name} allows ${sheet.pick(['ReDoS', 'prototype pollution', 'path traversal'])} - https://github.com/advisories/GHSA-${sheet.hex(4)}-${sheet.hex(4)}-${sheet.hex(4)}`,
          fix,
          `node_modules/${name}`,
          `  ${packageName(sheet)}  ${version(sheet)} - ${version(sheet)}`,
          `  Depends on vulnerable versions of ${name}`,
          '',
        ],
        `${name}  <=${version(sheet)}`,
      ]
    }
    const usual = 'fix available via `npm audit fix`'
    const severe = sheet.between(1, 3)
    const planted = Array.from({ length: severe }, (): Row => {
      const hasFix = sheet.chance(0.6)
      const force = `fix available via \`npm audit fix --force\`; will install ${noun(sheet)}@${version(sheet)}, which is a breaking change`
      const fix = hasFix ? usual : sheet.pick(['No fix available', force])
      const [, lines, title] = report('critical', fix)
      const [severity, advisory, ...rest] = lines
      return {
        lines: [
          { kind: 'exception', text: title },
          severity!,
          { kind: 'exception', text: advisory! },
          ...(fix === force ? [{ kind: 'change', text: fix } as const, ...rest.slice(1)] : rest),
        ],
      }
    })
    sheet.line('# npm audit report', '')
    let rows = 0
    sheet.fill((p) => {
      rows = p + 1
      const [name, lines, title] = report('moderate', usual)
      return { lines: [title, ...lines], name }
    }, planted)
    sheet.mark('summary', `${rows} vulnerabilities (${rows - severe} moderate, ${severe} critical)`)
    sheet.line('', 'To address all issues, run:', '  npm audit fix --force')
    return { command: 'npm audit', status: 'error' }
  },
}

const pip: Program = {
  program: 'pip install',
  write(sheet) {
    const command = 'pip install -r requirements.txt'
    const name = (): string => packageName(sheet).replace(/^@.*\//, '')
    const lowered = name()
    const [extra, major] = [name(), sheet.between(3, 8)]
    const odd: readonly Row[] = [
      {
        kind: 'warning',
        text: `  DEPRECATION: ${name()} is being installed using the legacy 'setup.py install' method, because it does not have a 'pyproject.toml'. pip 25.3 will enforce this behaviour change.`,
      },
      {
        kind: 'warning',
        text: `WARNING: ${extra} ${version(sheet)} does not provide the extra '${noun(sheet)}'`,
      },
      {
        kind: 'exception',
        text: `INFO: pip is looking at multiple versions of ${name()} to determine which version is compatible with other requirements. This could take a while.`,
      },
      {
        kind: 'warning',
        text: `WARNING: The candidate selected for download or install is a yanked version: '${name()}' candidate (version ${version(sheet)})`,
      },
    ]
    sheet.fill(
      (p) => {
        const wanted = name()
        const number = version(sheet)
        if (sheet.chance(0.4))
          return {
            lines: [
              `Requirement already satisfied: ${wanted}>=${number} in ./.venv/lib/python3.12/site-packages (from -r requirements.txt (line ${p + 1})) (${number})`,
            ],
            name: wanted,
          }
        return {
          lines: [
            `Collecting ${wanted}==${number} (from -r requirements.txt (line ${p + 1}))`,
            `  Downloading ${wanted.replaceAll('-', '_')}-${number}-py3-none-any.whl.metadata (${sheet.between(2, 40)} kB)`,
          ],
          name: wanted,
        }
      },
      sheet.some(odd, sheet.between(1, 3)),
    )
    const ending = sheet.pick(['conflict', 'build', 'fine', 'impossible'])
    if (ending === 'build') {
      const wheel = name()
      sheet.line(
        `Building wheels for collected packages: ${wheel}`,
        `  Building wheel for ${wheel} (pyproject.toml): started`,
        `  Building wheel for ${wheel} (pyproject.toml): finished with status 'error'`,
        '  error: subprocess-exited-with-error',
        '  ',
        `  × Building wheel for ${wheel} (pyproject.toml) did not run successfully.`,
        '  │ exit code: 1',
        `  ╰─> [${sheet.between(30, 60)} lines of output]`,
        ...Array.from(
          { length: sheet.between(12, 40) },
          () =>
            `      copying ${snakeName(sheet)}.py -> build/lib.linux-x86_64-cpython-312/${noun(sheet)}`,
        ),
      )
      sheet.row(failure('      Error: pg_config executable not found.'))
      sheet.line('      [end of output]', '  ')
      sheet.row(failure(`  ERROR: Failed building wheel for ${wheel}`, wheel, 'Failed'))
      sheet.line(`Failed to build ${wheel}`)
      sheet.mark(
        'exit',
        `ERROR: Failed to build installable wheels for some pyproject.toml based projects (${wheel})`,
      )
      return { command, status: 'error' }
    }
    if (ending === 'impossible') {
      const [one, other, shared] = [name(), name(), name()]
      sheet.mark(
        'failure',
        `ERROR: Cannot install ${one}==2.1.0 and ${other}==4.0.3 because these package versions have conflicting dependencies.`,
      )
      sheet.line('', 'The conflict is caused by:')
      sheet.row(failure(`    ${one} 2.1.0 depends on ${shared}<2`))
      sheet.row(failure(`    ${other} 4.0.3 depends on ${shared}>=2.4`))
      sheet.line('', 'To fix this you could try to:', '1. loosen the range of package versions')
      sheet.line('', 'ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/en/latest/')
      return { command, status: 'error' }
    }
    sheet.line(`Installing collected packages: ${Array.from({ length: 60 }, name).join(', ')}`)
    const replaced = (gem: string, from: Marked | string, old: string): readonly Row[] => [
      `  Attempting uninstall: ${gem}`,
      from,
      `    Uninstalling ${gem}-${old}:`,
      `      Successfully uninstalled ${gem}-${old}`,
    ]
    const found = (gem: string, old: string): string =>
      `    Found existing installation: ${gem} ${old}`
    const isLowered = sheet.chance(0.6)
    const place = sheet.below(9)
    const installed: string[] = []
    for (let index = 0; index < 9; index++) {
      const isHere = isLowered && index === place
      const gem = isHere ? lowered : name()
      const old = `${major}.4.${index}`
      for (const row of replaced(
        gem,
        isHere ? { kind: 'change', text: found(gem, old) } : found(gem, old),
        old,
      ))
        sheet.row(row)
      installed.push(`${gem}-${isHere ? major - 2 : major + 1}.0.${index}`)
    }
    if (ending === 'conflict') {
      sheet.line(
        "ERROR: pip's dependency resolver does not currently take into account all the packages that are installed. This behaviour is the source of the following dependency conflicts.",
      )
      sheet.row(
        failure(
          `${name()} 1.4.0 requires ${extra}<2,>=1.8, but you have ${extra} 2.0.1 which is incompatible.`,
        ),
      )
    }
    installed.push(...Array.from({ length: 50 }, () => `${name()}-${version(sheet)}`))
    sheet.mark('summary', `Successfully installed ${installed.join(' ')}`, {
      facts: ['Successfully installed'],
    })
    return { command }
  },
}

const apt: Program = {
  program: 'apt-get',
  write(sheet) {
    const command = 'apt-get -y dist-upgrade --allow-downgrades'
    const name = (): string =>
      `lib${noun(sheet)}${sheet.between(1, 9)}-${sheet.pick(['dev', 'bin', 'data', 'common'])}`
    const number = (): string =>
      `${sheet.between(1, 9)}.${sheet.below(30)}.${sheet.below(9)}-${sheet.between(1, 4)}ubuntu${sheet.between(1, 4)}`
    sheet.line(
      'Reading package lists...',
      'Building dependency tree...',
      'Reading state information...',
    )
    if (sheet.chance(0.5)) {
      sheet.line('The following packages will be REMOVED:')
      sheet.mark('change', `  ${name()} ${noun(sheet)}-server`)
    }
    sheet.mark(
      'summary',
      `${sheet.between(90, 400)} upgraded, ${sheet.between(1, 12)} newly installed, 2 to remove and ${sheet.below(4)} not upgraded.`,
    )
    const broken = `${noun(sheet)}-server`
    const fails = sheet.chance(0.5)
    const odd: readonly Row[] = [
      {
        kind: 'change',
        text: `dpkg: warning: downgrading ${name()} from 3.${sheet.between(5, 9)}.1-1 to 3.${sheet.below(4)}.8-2`,
      },
      {
        lines: [
          {
            kind: 'failure',
            text: `Err:${sheet.between(20, 90)} http://archive.ubuntu.com/ubuntu noble-updates/main amd64 ${name()} amd64 ${number()}`,
          },
          { kind: 'failure', text: '  404  Not Found [IP: 185.125.190.36 80]' },
        ],
      },
      {
        lines: [
          {
            kind: 'change',
            text: `Installing new version of config file /etc/${noun(sheet)}/${noun(sheet)}.conf ...`,
          },
        ],
      },
      {
        kind: 'warning',
        text: `update-initramfs: Possible missing firmware lib/firmware/${noun(sheet)}/${sheet.hex(6)}.bin for module i915`,
      },
      {
        kind: 'exception',
        text: `Created symlink /etc/systemd/system/${noun(sheet)}.service → /dev/null.`,
      },
    ]
    const failing: readonly Row[] = fails
      ? [
          {
            lines: [
              `Setting up ${broken} (${number()}) ...`,
              {
                kind: 'failure',
                text: `Job for ${broken}.service failed because the control process exited with error code.`,
              },
              {
                kind: 'failure',
                text: `dpkg: error processing package ${broken} (--configure):`,
              },
              {
                kind: 'failure',
                text: ` installed ${broken} package post-installation script subprocess returned error exit status 1`,
              },
            ],
          },
        ]
      : []
    const planted = [...sheet.some(odd, sheet.between(1, 3)), ...failing]
    sheet.fill((p) => {
      const wanted = name()
      const text = sheet.pick([
        `Get:${p + 1} http://archive.ubuntu.com/ubuntu noble-updates/main amd64 ${wanted} amd64 ${number()} [${sheet.between(10, 900)} kB]`,
        `Preparing to unpack .../${String(p).padStart(3, '0')}-${wanted}_${number()}_amd64.deb ...`,
        `Unpacking ${wanted} (${number()}) over (0.${number()}) ...`,
        `Setting up ${wanted} (${number()}) ...`,
      ])
      return { lines: [text], name: wanted }
    }, planted)
    sheet.line('Processing triggers for man-db (2.12.0-4build2) ...')
    sheet.line('Processing triggers for libc-bin (2.39-0ubuntu8.3) ...')
    if (!fails) return { command }
    sheet.line('Errors were encountered while processing:', ` ${broken}`)
    sheet.mark('exit', 'E: Sub-process /usr/bin/dpkg returned an error code (1)')
    return { command, status: 'error' }
  },
}

const bundler: Program = {
  program: 'bundle install',
  write(sheet) {
    const command = 'bundle install'
    const name = (): string => packageName(sheet).replace(/^@.*\//, '')
    const odd: readonly Row[] = [
      {
        kind: 'change',
        text: `Installing ${name()} 1.${sheet.below(9)}.0 (was 2.${sheet.below(9)}.4)`,
      },
      {
        kind: 'warning',
        text: `Warning: the gem '${name()}' was found in multiple sources.`,
      },
      {
        kind: 'warning',
        text: `The dependency ${name()} (>= 0) will be unused by any of the platforms Bundler is installing for.`,
      },
      {
        kind: 'exception',
        text: `Retrying download gem from https://rubygems.org/ due to error (2/4): Bundler::HTTPError Could not download gem ${name()}-${version(sheet)}`,
      },
    ]
    sheet.line(
      'Fetching gem metadata from https://rubygems.org/.........',
      'Resolving dependencies...',
    )
    sheet.fill(
      () => {
        const gem = name()
        const number = version(sheet)
        const native = sheet.chance(0.05) ? ' with native extensions' : ''
        const text = sheet.pick([
          `Using ${gem} ${number}`,
          `Fetching ${gem} ${number}`,
          `Installing ${gem} ${number}${native}`,
          `Installing ${gem} ${number} (was 0.${number})`,
        ])
        return { lines: [text], name: gem }
      },
      sheet.some(odd, sheet.between(1, 2)),
    )
    const ending = sheet.pick(['fine', 'build'])
    if (ending === 'fine') {
      sheet.mark(
        'summary',
        `Bundle complete! ${sheet.between(40, 120)} Gemfile dependencies, ${sheet.between(200, 500)} gems now installed.`,
      )
      const gem = name()
      sheet.line('Use `bundle info [gemname]` to see where a bundled gem is installed.')
      sheet.line(`Post-install message from ${gem}:`)
      sheet.mark(
        'warning',
        `${gem} 3 removes the ${noun(sheet)} option. Run the upgrade task first.`,
      )
      return { command }
    }
    const gem = `${adjective(sheet)}-pg`
    sheet.line('Gem::Ext::BuildError: ERROR: Failed to build gem native extension.', '')
    sheet.line(
      `    current directory: vendor/bundle/ruby/3.3.0/gems/${gem}-1.5.6/ext`,
      'ruby extconf.rb',
      'checking for pg_config... no',
      'checking for libpq per pkg-config... no',
    )
    sheet.row(failure("Can't find the 'libpq-fe.h' header"))
    sheet.line('*** extconf.rb failed ***', 'extconf failed, exit code 1', '')
    sheet.mark(
      'exit',
      `An error occurred while installing ${gem} (1.5.6), and Bundler cannot continue.`,
    )
    sheet.line('', 'In Gemfile:', `  ${gem}`)
    return { command, status: 'error' }
  },
}

export const packages: readonly Program[] = [npmInstall, npmAudit, pip, apt, bundler]
