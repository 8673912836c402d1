import { type FoundGateway, probeGateway } from '../setup/gateway-probe.ts'
import { type ServiceManager, serviceManager } from '../setup/service.ts'
import type { StoreLocation } from '../store/index.ts'
import { type DoctorParts, type Finding, finding } from './doctor-checks.ts'
import { plural } from './figures.ts'
import { defaultPort } from './free-port.ts'
import { placeOf } from './serving-lines.ts'
import { version } from './version.ts'

/** The gateway that agents are pointed at, and others beside it. */
export async function gatewayFindings(
  parts: DoctorParts,
  location: StoreLocation | null,
): Promise<{ readonly findings: readonly Finding[]; readonly gateways: readonly FoundGateway[] }> {
  const { record } = parts
  const main = record?.url ?? `http://127.0.0.1:${defaultPort}`
  const ports = Array.from({ length: 10 }, (_, at) => `http://127.0.0.1:${defaultPort + at}`)
  const addresses = [...new Set([main, ...ports])]
  const answers = await Promise.all(addresses.map((url) => probeGateway(url)))
  const gateways = answers.filter((each) => each !== null && each !== 'other')
  const service = setUpService(parts)
  const start = service?.startCommand ?? `palimpsest serve --port ${new URL(main).port}`
  const isExpected = typeof record?.url === 'string'
  const ownPlace = location === null ? null : placeOf(location)
  const findings = [
    mainFinding(answers[0] ?? null, { main, isExpected, start }),
    ...gateways.flatMap((each) => [
      ...healthFindings(each),
      ...differenceFindings(each, { start, ownPlace }),
    ]),
    ...dividedFindings(gateways, main),
    ...(service === null || service.isActive()
      ? []
      : [
          finding(
            'service',
            'error',
            `the service of ${service.name} does not run`,
            service.startCommand,
          ),
        ]),
  ]
  return { findings, gateways }
}

/** The service that `init` set up; null when it set up none. */
function setUpService({ record, user }: DoctorParts): ServiceManager | null {
  return record?.files.some(({ of }) => of === 'service') === true ? serviceManager(user) : null
}

/** What answers at the address that agents are pointed at. */
function mainFinding(
  answer: FoundGateway | 'other' | null,
  {
    main,
    isExpected,
    start,
  }: { readonly main: string; readonly isExpected: boolean; readonly start: string },
): Finding {
  if (answer !== null && answer !== 'other')
    return finding(
      'gateway',
      'ok',
      `runs at ${main}, ${plural(answer.requests, 'request')} since its start`,
    )
  if (!isExpected)
    return finding('gateway', 'ok', 'no gateway is set up; `palimpsest init` sets one up')
  if (answer === 'other')
    return finding(
      'gateway',
      'error',
      `another program answers at ${main}, where agents expect the gateway`,
      'palimpsest init --undo --yes && palimpsest init',
    )
  return finding('gateway', 'error', `nothing answers at ${main}, so agents cannot work`, start)
}

/** What a gateway reports about itself. */
function healthFindings({
  url,
  breaches,
  storeProblem,
  storeRenewals,
}: FoundGateway): readonly Finding[] {
  const findings: Finding[] = []
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
  return findings
}

/** Where a gateway differs from this command. */
function differenceFindings(
  { url, version: other, store }: FoundGateway,
  { start, ownPlace }: { readonly start: string; readonly ownPlace: string | null },
): readonly Finding[] {
  const findings: Finding[] = []
  if (other !== null && other !== version)
    findings.push(
      finding('gateway', 'warning', `${url} is version ${other}, this is ${version}`, start),
    )
  if (store !== null && ownPlace !== null && store !== ownPlace)
    findings.push(
      finding(
        'gateway',
        'warning',
        `${url} keeps sessions in ${store}, this command looks in ${ownPlace}`,
      ),
    )
  return findings
}

/** Several gateways with different stores. One that does not say where it keeps sessions is left out. */
function dividedFindings(gateways: readonly FoundGateway[], main: string): readonly Finding[] {
  const known = gateways.filter(({ store }) => store !== null)
  const kept = known.find(({ url }) => url === main) ?? known[0]
  const others = known.filter(({ store }) => store !== kept?.store)
  if (kept === undefined || others.length === 0) return []
  const urls = [kept, ...others].map(({ url }) => url).join(' and ')
  const ports = others.map(({ url }) => `-i tcp:${new URL(url).port}`).join(' ')
  return [
    finding(
      'gateway',
      'error',
      `${urls} keep different stores, so that sessions are divided between them; keep the first`,
      `kill $(lsof -t -s tcp:listen ${ports})`,
    ),
  ]
}
