import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PalimpsestError } from '../core/words/errors.ts'
import { agents } from '../setup/agents.ts'
import { type PlannedFile, restoreFile, writeFiles } from '../setup/changed-files.ts'
import { hookOwner } from '../setup/claude-hook.ts'
import { probeGateway, waitForGateway } from '../setup/gateway-probe.ts'
import type { ServiceManager } from '../setup/service.ts'
import { type SetupRecord, writeRecord } from '../setup/setup-record.ts'
import type { InitParts } from './init-command.ts'
import { diffLines, hookName, type InitPlan } from './init-plan.ts'
import type { InitQuestions } from './init-questions.ts'
import { type Terminal, writeJson, writeLines, writeNotice } from './terminal.ts'
import { wrapped } from './wrapped.ts'

interface CarryOutOptions {
  readonly service: ServiceManager | null
  readonly record: SetupRecord | undefined
  /** null when nobody is asked. */
  readonly questions: InitQuestions | null
}

/** Shows a plan, asks, and writes it. Returns the exit code. */
export async function carryOut(
  parts: InitParts,
  plan: InitPlan,
  { service, record, questions }: CarryOutOptions,
): Promise<number> {
  const { terminal, options } = parts
  const diff = diffLines([...plan.own, ...plan.files], terminal)
  const notes = plan.notes.flatMap((note) => wrapped(`note: ${note}`, terminal.columns))
  const shown = [...diff, ...notes]
  if (options.dryRun) {
    await report(parts, plan, shown)
    return 0
  }
  if (plan.files.length === 0 && plan.own.length === 0) {
    await report(parts, plan, [...shown, ...doneLines(plan)])
    return plan.done.length > 0 ? 0 : 1
  }
  if (questions !== null) {
    questions.show(shown)
    if ((await questions.yes('Write these changes?', true)) !== true)
      return say(terminal, 'nothing was changed', 1)
  }
  await write(parts, plan, service, record)
  const state = await gatewayLines(plan, service, parts)
  await report(parts, plan, [...(questions === null ? shown : []), ...doneLines(plan), ...state])
  return 0
}

/** The gateway runs before agents are pointed at it. */
async function write(
  { home, user }: InitParts,
  plan: InitPlan,
  service: ServiceManager | null,
  record: SetupRecord | undefined,
): Promise<void> {
  const { url, own, files } = plan
  const all = [...own, ...files]
  writeBackups(home, all)
  const names = new Set(all.map(({ file }) => file))
  const kept = (record?.files ?? []).filter(({ file }) => !names.has(file))
  const recordOf = (changed: readonly PlannedFile[]): SetupRecord => ({
    version: 1,
    url,
    at: new Date().toISOString(),
    files: [...kept, ...changed.map(({ current: _, ...file }) => file)],
  })
  // Written first: a process that is killed in the middle must not leave changes that nobody knows of.
  writeRecord(home, recordOf(all))
  try {
    writeFiles(own)
    if (service !== null && url !== null && own.length > 0) await start(service, url)
    writeFiles(files)
  } catch (error) {
    if (typeof record?.url !== 'string') service?.stop()
    for (const { file, current, existed } of own)
      restoreFile(file, current === '' && !existed ? null : current, user.home)
    writeRecord(home, record ?? null)
    throw error
  }
}

async function start(service: ServiceManager, url: string): Promise<void> {
  const problem = service.start()
  if (problem === null && (await waitForGateway(url, 15_000)) !== null) return
  throw new PalimpsestError(
    'usage',
    `the service did not start (${problem ?? 'nothing answers'}), so nothing was changed. \`${service.logCommand}\` says why; --no-service leaves it out.`,
  )
}

async function gatewayLines(
  { url }: InitPlan,
  service: ServiceManager | null,
  { options: { service: isWanted }, terminal: { columns } }: InitParts,
): Promise<readonly string[]> {
  if (url === null) return []
  const found = await probeGateway(url)
  if (found !== null && found !== 'other')
    return service === null
      ? [`a gateway runs at ${url}; start it again if its upstreams changed`]
      : [`the gateway runs at ${url}; its dashboard is there too`]
  const reason = isWanted ? 'there is no service manager here' : 'no service was set up'
  const port = new URL(url).port
  return wrapped(
    `the gateway does not run, because ${reason}: start \`palimpsest serve --port ${port}\` before your agents`,
    columns,
  )
}

function doneLines({ files, done }: InitPlan): readonly string[] {
  const ids = [...new Set(files.map(({ of }) => of))]
  const named = [
    ...agents.filter(({ id }) => ids.includes(id)).map(({ name }) => name),
    ...(ids.includes(hookOwner) ? [hookName] : []),
  ]
  return [
    ...(named.length === 0 ? [] : [`set up: ${named.join(', ')}`]),
    ...(done.length === 0 ? [] : [`set up already: ${done.join(', ')}`]),
    '`palimpsest doctor` checks it, `palimpsest init --undo` takes it back',
  ]
}

async function report(
  { terminal, options }: InitParts,
  { url, files, own, notes }: InitPlan,
  lines: readonly string[],
): Promise<void> {
  if (options.quiet) return
  if (!options.json) return writeLines(terminal.out, lines)
  const ids = [...new Set(files.map(({ of }) => of))]
  const changed = [...own, ...files].map(({ file }) => file)
  await writeJson(terminal, { url, agents: ids, files: changed, notes })
}

export function say(terminal: Terminal, line: string, code: number): number {
  writeNotice(terminal, line)
  return code
}

/** Copies that users can find, besides those in the record. */
function writeBackups(home: string, files: readonly PlannedFile[]): void {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  const folder = path.join(home, 'backups', stamp)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const { of, file, current, existed } of files)
      if (existed)
        writeFileSync(path.join(folder, `${of}-${path.basename(file)}`), current, { mode: 0o600 })
  } catch (cause) {
    throw new PalimpsestError(
      'configuration',
      `${folder}: cannot be written, so nothing was changed. Make it writable, or set PALIMPSEST_HOME to another folder.`,
      { cause },
    )
  }
}
