import { readFileSync } from 'node:fs'
import path from 'node:path'
import { withoutSecretsIn } from '../core/words/secrets.ts'
import type { FoundGateway } from '../setup/gateway-probe.ts'
import type { AgentState } from './doctor-agents.ts'
import type { DoctorParts, Finding } from './doctor-checks.ts'
import { version } from './version.ts'

export interface Diagnosis {
  readonly ok: boolean
  readonly findings: readonly Finding[]
  readonly agents: readonly AgentState[]
  readonly gateways: readonly FoundGateway[]
}

/**
 * All of it as JSON for a bug report. Of variables only the names are in it, of configuration files only what we wrote;
 * keys are hidden, and the home folder is written as `~`.
 */
export function reportText(
  { home, user, record }: DoctorParts,
  { ok, findings, agents, gateways }: Diagnosis,
): string {
  const value = {
    version,
    runtime: process.versions.bun ?? process.version,
    platform: `${process.platform} ${process.arch}`,
    ok,
    findings,
    agents,
    gateways,
    configuration: configText(path.join(home, 'palimpsest.jsonc')),
    setUp: (record?.files ?? []).map(({ of, file, existed, changes }) => ({
      of,
      file,
      existed,
      changes: changes.map(({ kind }) => kind),
    })),
    variables: Object.keys(user.env)
      .filter((name) =>
        /^(?:PALIMPSEST|ANTHROPIC|OPENAI|GEMINI|GOOGLE|CLAUDE|CODEX|OPENCODE|COPILOT|QWEN|PI|HTTPS?_PROXY|NO_PROXY)/i.test(
          name,
        ),
      )
      .toSorted(),
  }
  return `${withoutHome(JSON.stringify(withoutSecretsIn(value), null, 2), user.home)}\n`
}

function configText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function withoutHome(text: string, home: string): string {
  return text.replaceAll(JSON.stringify(home).slice(1, -1), '~')
}
