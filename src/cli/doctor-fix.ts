import { chmodSync, existsSync } from 'node:fs'
import { hookOwner } from '../setup/claude-hook.ts'
import { waitForGateway } from '../setup/gateway-probe.ts'
import { serviceManager } from '../setup/service.ts'
import type { DoctorParts } from './doctor-checks.ts'
import type { Diagnosis } from './doctor-report.ts'
import { setUpAgents } from './init-command.ts'

/** Fixes what needs no decision by the user, and says what it did. */
export async function fixProblems(
  parts: DoctorParts,
  { findings }: Diagnosis,
): Promise<readonly string[]> {
  const { home, record, user, terminal } = parts
  const done: string[] = []
  const isFound = (check: string, level: string): boolean =>
    findings.some((each) => each.check === check && each.level === level)
  if (isFound('folder', 'warning') && existsSync(home)) {
    chmodSync(home, 0o700)
    done.push(`only you can read ${home} now`)
  }
  const broken = [...new Set((record?.files ?? []).map(({ of }) => of))].filter((id) =>
    findings.some(
      ({ check, level, fix }) =>
        check === id && level === 'error' && fix?.startsWith('palimpsest init'),
    ),
  )
  const options = { yes: true, service: true, quiet: true } as const
  const throughGateway = broken.filter((id) => id !== hookOwner)
  if (throughGateway.length > 0)
    await setUpAgents({ terminal, home, user, options }, throughGateway)
  if (broken.includes(hookOwner))
    await setUpAgents({ terminal, home, user, options: { ...options, hooks: true } }, [])
  if (broken.length > 0) done.push(`set up again: ${broken.join(', ')}`)
  const service = serviceManager(user)
  const isService = record?.files.some(({ of }) => of === 'service') === true
  if (
    typeof record?.url === 'string' &&
    isService &&
    service !== null &&
    (isFound('gateway', 'error') || isFound('service', 'error'))
  ) {
    const problem = service.start()
    const isUp = problem === null && (await waitForGateway(record.url, 15_000)) !== null
    if (isUp) done.push(`the gateway runs again at ${record.url}`)
  }
  return done
}
