import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Command } from 'commander'
import { PalimpsestError } from '../core/words/errors.ts'
import { readRecord } from '../setup/setup-record.ts'
import type { SetupOptions } from './chosen-store.ts'
import { agentFindings, agentStates } from './doctor-agents.ts'
import {
  configFindings,
  type DoctorParts,
  type Finding,
  folderFindings,
  locationFor,
  programFindings,
  storeFindings,
} from './doctor-checks.ts'
import { fixProblems } from './doctor-fix.ts'
import { gatewayFindings } from './doctor-gateways.ts'
import { type Diagnosis, reportText } from './doctor-report.ts'
import { plural } from './figures.ts'
import { placeOf } from './serving-lines.ts'
import { type Terminal, writeResult } from './terminal.ts'
import { version } from './version.ts'
import { wrapped } from './wrapped.ts'
import { writing } from './writing.ts'

interface DoctorOptions extends Pick<SetupOptions, 'store'> {
  readonly fix?: true
  readonly report?: string
  readonly json?: true
}

export function doctorCommand(terminal: Terminal, finish: (code: number) => void): Command {
  return new Command('doctor')
    .description('check the set-up: gateway, store, agents, and whether their requests arrive')
    .option('--fix', 'fix what can be fixed without asking')
    .option(
      '--report <file>',
      'write all of it to a file for a bug report, without keys or content',
    )
    .option('--store <path-or-url>', 'the store to check; default: that of the configuration')
    .option('--json', 'print one JSON value: {ok, version, store, findings, agents, gateways}')
    .addHelpText(
      'after',
      `
Exits with 1 when something does not work. Every problem comes with the command that fixes it.

Examples:
  palimpsest doctor
  palimpsest doctor --fix
  palimpsest doctor --report palimpsest-report.json`,
    )
    .action(async (options: DoctorOptions) => {
      const parts = (): DoctorParts => partsOf(terminal, options)
      let diagnosis = await diagnose(parts())
      const fixed = options.fix ? await fixProblems(parts(), diagnosis) : []
      if (fixed.length > 0) diagnosis = await diagnose(parts())
      const { report } = options
      if (report !== undefined)
        await writing(report, async () =>
          writeFileSync(path.resolve(terminal.cwd, report), reportText(parts(), diagnosis)),
        )
      const lines = linesOf(diagnosis, { fixed, report }, terminal)
      await writeResult(terminal, options, diagnosis, lines)
      finish(diagnosis.ok ? 0 : 1)
    })
}

function partsOf(terminal: Terminal, { store }: DoctorOptions): DoctorParts {
  const { home, user, cwd } = terminal
  if (home === undefined || user === undefined)
    throw new PalimpsestError('usage', 'no home folder is known: set HOME')
  return {
    terminal,
    home: path.resolve(cwd, home),
    user: { ...user, cwd },
    record: readRecord(home),
    store,
  }
}

async function diagnose(parts: DoctorParts): Promise<Diagnosis> {
  const found = locationFor(parts)
  const location = PalimpsestError.is(found) ? null : found
  // One after the other: two connections to a SQLite file in one process would wait for each other.
  const stored = await storeFindings(parts, found)
  const agents = await agentStates(parts, location)
  const { findings: served, gateways } = await gatewayFindings(parts, location)
  const findings = [
    ...programFindings(parts),
    ...folderFindings(parts),
    ...configFindings(parts),
    ...stored,
    ...served,
    ...agentFindings(parts, agents),
  ]
  const ok = findings.every(({ level }) => level !== 'error')
  const store = location === null ? null : placeOf(location)
  return { ok, version, store, findings, agents, gateways }
}

function linesOf(
  { findings }: Diagnosis,
  { fixed, report }: { readonly fixed: readonly string[]; readonly report: string | undefined },
  { colors, columns }: Terminal,
): readonly string[] {
  const count = (level: Finding['level']): number =>
    findings.filter((each) => each.level === level).length
  const marks = {
    ok: colors.green('ok     '),
    warning: colors.yellow('warning'),
    error: colors.red('error  '),
  }
  const [errors, warnings] = [count('error'), count('warning')]
  const verdict =
    errors > 0
      ? `${plural(errors, 'problem')}${warnings > 0 ? ` and ${plural(warnings, 'warning')}` : ''}`
      : warnings > 0
        ? `it works, with ${plural(warnings, 'warning')}`
        : 'all is well'
  return [
    colors.bold(verdict),
    ...fixed.map((line) => `fixed: ${line}`),
    '',
    ...findings.flatMap(({ level, text, fix }) => [
      ...wrapped(text, Math.max(30, columns - 9)).map(
        (line, at) => `${at === 0 ? marks[level] : '       '}  ${line}`,
      ),
      ...(fix === null
        ? []
        : wrapped(`         → ${fix}`, Math.max(30, columns)).map((line) => colors.dim(line))),
    ]),
    ...(report === undefined ? [] : ['', `the report is in ${report}; read it before you send it`]),
  ]
}
