import { readFileSync } from 'node:fs'
import path from 'node:path'
import { withoutSecretsIn } from '../core/words/secrets.ts'
import type { FoundGateway } from '../setup/gateway-probe.ts'
import type { AgentState } from './doctor-agents.ts'
import type { DoctorParts, Finding } from './doctor-checks.ts'
import { redactedConfig, withoutFolders } from './report-redaction.ts'

export interface Diagnosis {
  readonly ok: boolean
  readonly version: string
  /** Where sessions are kept; null when that is not known. */
  readonly store: string | null
  readonly findings: readonly Finding[]
  readonly agents: readonly AgentState[]
  readonly gateways: readonly FoundGateway[]
}

/**
 * All of it as JSON for a bug report. Of variables only the names are in it, of configuration files only what we wrote;
 * keys, the names of folders and all texts of the configuration are left out.
 */
export function reportText(
  { home, user, terminal, record }: DoctorParts,
  { ok, version, store, findings, agents, gateways }: Diagnosis,
): string {
  const value = {
    version,
    runtime: process.versions.bun ?? process.version,
    platform: `${process.platform} ${process.arch}`,
    ok,
    findings,
    agents: agents.map((agent) => ({ ...agent, program: nameOf(agent.program) })),
    gateways,
    configuration: configIn(path.join(home, 'palimpsest.jsonc')),
    setUp: (record?.files ?? []).map(({ of, file, existed, changes }) => ({
      of,
      file: path.basename(file),
      existed,
      changes: changes.map(({ kind }) => kind),
    })),
    variables: Object.keys(user.env)
      .filter((name) => ownVariable.test(name))
      .toSorted(),
  }
  const stores = [store, ...gateways.map((each) => each.store)].filter((each) => each !== null)
  const text = [...stores, ...(record?.files ?? []).map(({ file }) => file)]
    .toSorted((one, other) => other.length - one.length)
    .reduce(
      (shorter, place) =>
        shorter.replaceAll(JSON.stringify(place).slice(1, -1), nameOf(place) ?? ''),
      JSON.stringify(withoutSecretsIn(value), null, 2),
    )
  return `${withoutFolders(text, { userHome: user.home, home, cwd: terminal.cwd })}\n`
}

/** Variables that change what agents and Palimpsest do. */
const ownVariable =
  /^(?:(?:PALIMPSEST|ANTHROPIC|OPENAI|GEMINI|GOOGLE|CLAUDE|CODEX|OPENCODE|COPILOT|QWEN|CLINE|CONTINUE|PI)_|(?:HTTPS?|NO|ALL)_PROXY$)/i

/** The last part of a path; of a database that it is one. */
function nameOf(place: string | null): string | null {
  if (place === null) return null
  return place.startsWith('postgres') ? 'PostgreSQL' : path.basename(place)
}

function configIn(file: string): unknown {
  try {
    return redactedConfig(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
