import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  rmdirSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { loadConfig } from '../config/load.ts'
import { openPauses } from '../config/pauses.ts'
import { formatSize } from '../config/quantities.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { locationOf } from '../session/setup.ts'
import type { UserSetup } from '../setup/agent.ts'
import { type FoundGateway, probeGateway } from '../setup/gateway-probe.ts'
import { serviceManager } from '../setup/service.ts'
import type { SetupRecord } from '../setup/setup-record.ts'
import { shellWord } from '../setup/shell-word.ts'
import { openStore, type StoreLocation } from '../store/index.ts'
import { plural } from './figures.ts'
import { defaultPort } from './free-port.ts'
import { placeOf } from './serving-lines.ts'
import type { Terminal } from './terminal.ts'
import { version } from './version.ts'

/** One thing that was looked at. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'warning' | 'error'
  readonly text: string
  /** The command that mends it; null when there is none, or nothing to mend. */
  readonly fix: string | null
}

export interface DoctorParts {
  readonly terminal: Terminal
  /** The folder of our configuration. */
  readonly home: string
  readonly user: UserSetup
  readonly record: SetupRecord | undefined
  readonly store: string | undefined
}

export function finding(
  check: string,
  level: Finding['level'],
  text: string,
  fix: string | null = null,
): Finding {
  return { check, level, text, fix }
}

export function programFindings({ terminal, record }: DoctorParts): readonly Finding[] {
  const runtime =
    process.versions.bun === undefined
      ? `Node ${process.versions.node}`
      : `Bun ${process.versions.bun}`
  const script = terminal.program?.at(-1) ?? ''
  const isPassing = record !== undefined && /[/\\]_npx[/\\]/.test(script)
  return [
    finding(
      'program',
      'ok',
      `palimpsest ${version} on ${runtime}, ${process.platform} ${process.arch}`,
    ),
    ...(isPassing
      ? [
          finding(
            'program',
            'warning',
            'agents are set up with a copy in the cache of npx, which npm may clear',
            'npm install -g palimpsest && palimpsest init --undo --yes && palimpsest init',
          ),
        ]
      : []),
  ]
}

export function folderFindings({ home }: DoctorParts): readonly Finding[] {
  if (!existsSync(home)) return [finding('folder', 'ok', `${home} does not exist yet`)]
  try {
    accessSync(home, constants.W_OK)
  } catch {
    const fix = `chmod u+w ${shellWord(home)}`
    return [finding('folder', 'error', `${home} cannot be written: nothing can be kept`, fix)]
  }
  const isOpen = process.platform !== 'win32' && (statSync(home).mode & 0o077) !== 0
  return [
    isOpen && existsSync(path.join(home, 'palimpsest.db'))
      ? finding('folder', 'warning', `others may look into ${home}`, `chmod 700 ${shellWord(home)}`)
      : finding('folder', 'ok', `${home} can be written`),
  ]
}

export function configFindings({ terminal, home }: DoctorParts): readonly Finding[] {
  const check = 'configuration'
  try {
    const { warnings, untrusted = [] } = loadConfig(terminal)
    const paused = openPauses(home, terminal.now).state().everything !== null
    return [
      ...warnings.map((warning) => finding(check, 'warning', warning)),
      ...untrusted.map(({ file, keys }) =>
        finding(
          check,
          'warning',
          `${file} sets ${keys.join(', ')}, which is ignored`,
          'palimpsest trust',
        ),
      ),
      ...(paused
        ? [finding(check, 'warning', 'pruning is paused for everything', 'palimpsest resume')]
        : []),
      ...(warnings.length + untrusted.length === 0
        ? [finding(check, 'ok', 'configuration is valid')]
        : []),
    ]
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error
    return [finding(check, 'error', error.message)]
  }
}

/** Where sessions are kept, or why that cannot be told. */
export function locationFor({ terminal, store }: DoctorParts): StoreLocation | PalimpsestError {
  try {
    const { cwd, home } = terminal
    return locationOf(loadConfig(terminal), { store, home, cwd })
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error
    return error
  }
}

export async function storeFindings(
  parts: DoctorParts,
  location: StoreLocation | PalimpsestError,
): Promise<readonly Finding[]> {
  if (PalimpsestError.is(location)) return [finding('store', 'error', location.message)]
  if (location.kind === 'memory') return []
  const place = placeOf(location)
  if (location.kind === 'sqlite' && !existsSync(location.path)) {
    return canBeMade(location.path)
      ? [finding('store', 'ok', `no store yet: ${place} is made at the first request`)]
      : [
          finding(
            'store',
            'error',
            `${place} does not exist and cannot be made; choose another store`,
          ),
        ]
  }
  try {
    const store = await openStore(location, { now: parts.terminal.now, readOnly: true })
    try {
      const sessions = await store.sessions()
      const size = location.kind === 'sqlite' ? `, ${formatSize(statSync(location.path).size)}` : ''
      return [finding('store', 'ok', `${place}: ${plural(sessions.length, 'session')}${size}`)]
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!PalimpsestError.is(error)) throw error
    return [finding('store', 'error', error.message, 'palimpsest store check')]
  }
}

/** Whether a file can be made at a path: tried with a folder beside it, or in the nearest folder above that exists. */
function canBeMade(file: string): boolean {
  const folder = path.dirname(file)
  if (folder !== file && !existsSync(folder)) return canBeMade(folder)
  try {
    // A link to nowhere.
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return false
    rmdirSync(mkdtempSync(path.join(folder, '.palimpsest-')))
    return true
  } catch {
    return false
  }
}

/** The gateway that agents are pointed at, and others beside it. */
export async function gatewayFindings(
  parts: DoctorParts,
  location: StoreLocation | null,
): Promise<{ readonly findings: readonly Finding[]; readonly gateways: readonly FoundGateway[] }> {
  const { record, user } = parts
  const main = record?.url ?? `http://127.0.0.1:${defaultPort}`
  const ports = Array.from({ length: 10 }, (_, at) => `http://127.0.0.1:${defaultPort + at}`)
  const addresses = [...new Set([main, ...ports])]
  const answers = await Promise.all(addresses.map((url) => probeGateway(url)))
  const gateways = answers.filter((each) => each !== null && each !== 'other')
  const service = serviceManager(user)
  const serve = `palimpsest serve --port ${new URL(main).port}`
  const isService = record?.files.some(({ of }) => of === 'service') === true
  const start = isService && service !== null ? service.startCommand : serve
  const [answer] = answers
  const findings: Finding[] = []
  const isExpected = typeof record?.url === 'string'
  if (answer === 'other' && isExpected)
    findings.push(
      finding(
        'gateway',
        'error',
        `another program answers at ${main}, where agents expect the gateway`,
        'palimpsest init --undo --yes && palimpsest init',
      ),
    )
  else if (answer === null && isExpected)
    findings.push(
      finding('gateway', 'error', `nothing answers at ${main}, so agents cannot work`, start),
    )
  else if (answer === null || answer === 'other' || answer === undefined)
    findings.push(finding('gateway', 'ok', 'no gateway is set up; `palimpsest init` sets one up'))
  else
    findings.push(
      finding(
        'gateway',
        'ok',
        `runs at ${main}, ${plural(answer.requests, 'request')} since its start`,
      ),
    )
  const own = location === null ? null : placeOf(location)
  for (const { url, version: other, store, storeProblem, storeRenewals, breaches } of gateways) {
    const broken = Object.entries(breaches).map(
      ([promise, count]) => `${promise} (${plural(count, 'time')})`,
    )
    if (broken.length > 0)
      findings.push(
        finding(
          'gateway',
          'error',
          `${url} sent requests that break a promise: ${broken.join(', ')}. Its log says where; please report it`,
          'palimpsest pause',
        ),
      )
    if (storeProblem !== null)
      findings.push(
        finding(
          'store',
          'error',
          `the store of ${url} does not work (${storeProblem}): requests are sent unchanged`,
          'palimpsest store check',
        ),
      )
    if (storeRenewals > 0)
      findings.push(
        finding(
          'store',
          'warning',
          `the file of ${url}'s store was deleted or replaced ${plural(storeRenewals, 'time')} while it was in use; sessions that were not in memory began again`,
        ),
      )
    if (other !== null && other !== version)
      findings.push(
        finding('gateway', 'warning', `${url} is version ${other}, this is ${version}`, start),
      )
    if (store !== null && own !== null && store !== own)
      findings.push(
        finding(
          'gateway',
          'warning',
          `${url} keeps sessions in ${store}, this command looks in ${own}`,
        ),
      )
  }
  const stores = new Set(gateways.map(({ store }) => store))
  if (gateways.length > 1 && stores.size > 1)
    findings.push(
      finding(
        'gateway',
        'error',
        `${gateways.map(({ url }) => url).join(' and ')} keep different stores: sessions are divided between them`,
        `stop all but ${main}`,
      ),
    )
  if (isService && service !== null && !service.isActive())
    findings.push(
      finding(
        'service',
        'error',
        `the service of ${service.name} does not run`,
        service.startCommand,
      ),
    )
  return { findings, gateways }
}
