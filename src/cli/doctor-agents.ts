import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { agentName } from '../dashboard/agent-name.ts'
import { savingsOf } from '../dashboard/overview.ts'
import { createStoredSessions } from '../dashboard/stored-sessions.ts'
import type { Group } from '../dashboard/types.ts'
import { textOf, type UserSetup } from '../setup/agent.ts'
import { isApplied } from '../setup/changed-files.ts'
import { hookOwner } from '../setup/claude-hook.ts'
import { findProgram } from '../setup/find-program.ts'
import { jsonAt } from '../setup/json-edit.ts'
import type { ChangedFile } from '../setup/setup-record.ts'
import { openStore, type StoreLocation } from '../store/index.ts'
import { type DoctorParts, type Finding, finding } from './doctor-checks.ts'
import { ago, percent, plural } from './figures.ts'
import { sessionName } from './hook-command.ts'
import { installedAgents } from './init-plan.ts'

/** What is known about an agent of this machine. */
export interface AgentState {
  readonly id: string
  readonly name: string
  /** null when its program is not on the PATH. */
  readonly program: string | null
  readonly version: string | null
  readonly isSetUp: boolean
  /** What the hook of Claude Code did; null where it is not set up. */
  readonly hook: HookUse | null
  /** When its last request arrived, in milliseconds since 1970. */
  readonly lastSeen: number | null
  readonly requests: number
  readonly saved: {
    readonly tokens: number
    readonly ofTokens: number
    readonly dollars: number | null
  } | null
}

interface HookUse {
  readonly lastUsed: number | null
  /** How many outputs it shortened, and their tokens. */
  readonly outputs: number
  readonly tokens: { readonly with: number; readonly without: number }
}

export async function agentStates(
  parts: DoctorParts,
  location: StoreLocation | null,
): Promise<readonly AgentState[]> {
  const { seen, hook } = await seenAgents(parts, location)
  return Promise.all(
    installedAgents(parts.user).map(async (agent) => {
      const { id, name } = agent
      const program = findProgram(id, parts.user.env, parts.user.cwd)
      const found = seen.get(agentName(agent.client, agent.client))
      return {
        id,
        name,
        program,
        version: program === null ? null : await versionOf(program, parts.user),
        isSetUp: parts.record?.files.some(({ of }) => of === id) === true,
        hook: id === 'claude' && hookFiles(parts).length > 0 ? hook : null,
        lastSeen: found?.at ?? null,
        requests: found?.group.requests ?? 0,
        saved: found === undefined ? null : savedIn(found.group),
      }
    }),
  )
}

export function agentFindings(
  parts: DoctorParts,
  states: readonly AgentState[],
): readonly Finding[] {
  const { record, terminal } = parts
  return states.flatMap((state) => {
    const { id, name, version, isSetUp, lastSeen, saved, requests } = state
    const label = `${name}${version === null ? '' : ` ${version}`}`
    const seen =
      lastSeen === null
        ? 'no request seen yet'
        : `last request ${ago(lastSeen, terminal.now())}, ${plural(requests, 'request')}, saved ${percent(saved === null || saved.ofTokens === 0 ? 0 : saved.tokens / saved.ofTokens)}`
    if (state.hook !== null) return [hookFinding(parts, label, state.hook)]
    if (!isSetUp) {
      const fix = lastSeen === null ? `palimpsest run ${id}` : `palimpsest init ${id}`
      return [{ ...finding(id, 'ok', `${label}: not set up; ${seen}`), fix }]
    }
    const files = (record?.files ?? []).filter(({ of }) => of === id)
    const changed = files.filter((file) => !isApplied(file))
    if (changed.length > 0)
      return [
        finding(
          id,
          'error',
          `${label}: ${changed.map(({ file }) => file).join(' and ')} no longer leads to the gateway`,
          `palimpsest init ${id} --yes`,
        ),
      ]
    const since = Date.parse(record?.at ?? '')
    const isQuiet = lastSeen === null || lastSeen < since
    return [
      isQuiet
        ? finding(
            id,
            'warning',
            `${label}: set up, but no request has arrived since; ${seen}`,
            `start ${id} once; if this stays, \`palimpsest run ${id}\` shows whether its requests can be reached`,
          )
        : finding(id, 'ok', `${label}: set up; ${seen}`),
      ...mistakes(id, parts),
    ]
  })
}

function hookFiles({ record }: DoctorParts): readonly ChangedFile[] {
  return (record?.files ?? []).filter(({ of }) => of === hookOwner)
}

function hookFinding(
  parts: DoctorParts,
  label: string,
  { lastUsed, outputs, tokens }: HookUse,
): Finding {
  const files = hookFiles(parts)
  const fix = 'palimpsest init --hooks --yes'
  const lost = files.filter((file) => !isApplied(file))
  if (lost.length > 0)
    return finding(hookOwner, 'error', `${label}: the hook is gone from ${lost[0]?.file}`, fix)
  const off = files.find(({ file }) => jsonAt(textOf(file), ['disableAllHooks']) === true)
  if (off !== undefined)
    return finding(
      'claude',
      'warning',
      `${label}: \`disableAllHooks\` in ${off.file} stops the hook`,
    )
  const used =
    lastUsed === null
      ? 'no large output yet'
      : `last large output ${ago(lastUsed, parts.terminal.now())}, ${plural(outputs, 'output')} shortened by ${percent(tokens.without === 0 ? 0 : 1 - tokens.with / tokens.without)}`
  return finding(hookOwner, 'ok', `${label}: has the hook, without a gateway; ${used}`)
}

/** Variables of the shell that win over what was set up, and doors that would both prune. */
function mistakes(id: string, { user, record }: DoctorParts): readonly Finding[] {
  const variables = {
    gemini: ['GOOGLE_GEMINI_BASE_URL'],
    qwen: ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL'],
  }
  const named = Object.hasOwn(variables, id) ? variables[id as keyof typeof variables] : []
  const wrong = named.filter((name) => {
    const value = user.env[name]
    return value !== undefined && value !== '' && !value.startsWith(record?.url ?? ' ')
  })
  const files = (record?.files ?? []).filter(({ of }) => of === id)
  const isDoubled =
    id === 'opencode' &&
    files.some(({ file }) => /"palimpsest(?:@[^"]*)?"\s*[,\]]/.test(textOf(file)))
  return [
    ...wrong.map((name) =>
      finding(
        id,
        'error',
        `${name} is set in this shell and wins over the set-up`,
        `unset ${name}`,
      ),
    ),
    ...(isDoubled
      ? [
          finding(
            id,
            'warning',
            'OpenCode has both the plugin and the gateway, and either is enough',
            'palimpsest init --undo opencode',
          ),
        ]
      : []),
  ]
}

interface Seen {
  readonly at: number
  readonly group: Group
}

interface SeenInStore {
  readonly seen: ReadonlyMap<string, Seen>
  readonly hook: HookUse
}

async function seenAgents(
  { terminal }: DoctorParts,
  location: StoreLocation | null,
): Promise<SeenInStore> {
  const seen = new Map<string, Seen>()
  let hook: HookUse = { lastUsed: null, outputs: 0, tokens: { with: 0, without: 0 } }
  if (location === null || location.kind === 'memory') return { seen, hook }
  try {
    const store = await openStore(location, { now: terminal.now, readOnly: true })
    try {
      const isHooked = ({ id }: { readonly id: string }): boolean => id.startsWith(sessionName(''))
      const hooked = (await store.sessions()).filter(isHooked)
      const all = await createStoredSessions(store).receipts()
      const { totals } = savingsOf(all.filter(isHooked), { from: null, to: terminal.now() })
      hook = {
        lastUsed: hooked.reduce<number | null>((at, { usedAt }) => Math.max(at ?? 0, usedAt), null),
        outputs: totals.outputs,
        tokens: totals.tokens,
      }
      const sessions = all.filter((each) => !isHooked(each))
      const { agents } = savingsOf(sessions, { from: null, to: terminal.now() })
      for (const group of agents) {
        const times = sessions.flatMap(({ origin, receipts }) =>
          receipts.flatMap(({ at, agent }) =>
            at !== null && agentName(agent, origin) === group.name ? [at] : [],
          ),
        )
        seen.set(group.name, { at: times.reduce((one, other) => Math.max(one, other), 0), group })
      }
    } finally {
      await store.close()
    }
  } catch {
    // The check of the store says what is wrong with it.
  }
  return { seen, hook }
}

function savedIn({ tokens, savedDollars }: Group): NonNullable<AgentState['saved']> {
  return { tokens: tokens.without - tokens.with, ofTokens: tokens.without, dollars: savedDollars }
}

async function versionOf(program: string, { env }: UserSetup): Promise<string | null> {
  try {
    const options = { timeout: 10_000, env: { ...env } as NodeJS.ProcessEnv }
    const { stdout, stderr } = await promisify(execFile)(program, ['--version'], options)
    return /\d+\.\d+[\w.+-]*/.exec(`${stdout} ${stderr}`)?.[0] ?? null
  } catch {
    return null
  }
}
