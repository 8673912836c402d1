import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestVersion } from '../../../scripts/agents.mjs'
import { claudeCode } from '../claude-code.ts'
import type { Client } from '../client.ts'
import { codex } from '../codex.ts'
import { describeClient } from '../installed-client.ts'
import type { SetupResult } from './setup-plan.ts'
import {
  type Commands,
  closing,
  goThroughSetup,
  type SetUpClient,
  type SetupSession,
  story,
  type Way,
} from './setup-session.ts'

const oauthToken = 'sk-ant-oat01-of-a-subscription-0123456789'

/** Logged in with a Claude subscription, as `claude setup-token` leaves it. */
function claudeLogin(): Client {
  const client = claudeCode(newestVersion('claude-code'))
  return {
    ...client,
    setUp(place, prompt) {
      const setup = client.setUp(place, prompt)
      const { ANTHROPIC_API_KEY: _, ...environment } = setup.environment
      return { ...setup, environment: { ...environment, CLAUDE_CODE_OAUTH_TOKEN: oauthToken } }
    },
  }
}

const account = 'account-of-a-subscription'
const chatGptToken = webToken()

/** A token as ChatGPT gives it, without its signature. */
function webToken(): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    email: 'me@example.com',
    exp: Math.floor(Date.now() / 1000) + 10 * 24 * 3_600,
    'https://api.openai.com/auth': { chatgpt_plan_type: 'plus', chatgpt_account_id: account },
  }
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`
}

/** Logged in with ChatGPT, as `codex login` leaves it. */
function codexLogin(): SetUpClient {
  const client = codex(newestVersion('codex'))
  const token = chatGptToken
  const auth = {
    auth_mode: 'chatgpt',
    OPENAI_API_KEY: null,
    tokens: { id_token: token, access_token: token, refresh_token: 'none', account_id: account },
    last_refresh: new Date().toISOString(),
  }
  const config = `model = "gpt-5.5"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
apps = false
`
  return {
    id: 'codex',
    client,
    files: (home) => [
      { path: `${home}/.codex/config.toml`, text: config },
      { path: `${home}/.codex/auth.json`, text: JSON.stringify(auth) },
    ],
  }
}

/** One run. The provider's own address is replaced, because there is no account. */
function once(...options: readonly string[]): (commands: Commands) => Way {
  return ({ own, inShell, agent, project }) => ({
    turns: story(project),
    steps: [{ name: 'run', command: inShell(...own('run', ...options, ...agent)) }],
  })
}

interface Login {
  readonly setUp: SetUpClient
  readonly way: (commands: Commands) => Way
  /** What the provider must receive. */
  readonly token: string
  readonly headers: Readonly<Record<string, RegExp>>
}

const logins: readonly Login[] = [
  {
    setUp: { id: 'claude', client: claudeLogin() },
    way: once(),
    token: oauthToken,
    headers: { 'anthropic-beta': /oauth-/ },
  },
  {
    setUp: codexLogin(),
    way: once('--upstream', 'chatgpt={url}/v1'),
    token: chatGptToken,
    headers: { 'chatgpt-account-id': new RegExp(`^${account}$`) },
  },
]

for (const { setUp, way, token, headers } of logins) {
  describeClient(setUp.client, `the subscription login of ${setUp.client.name}`, (command) => {
    let session: SetupSession
    const run = (): SetupResult => session.results.get('run')!
    beforeAll(async () => {
      session = await goThroughSetup(setUp, command, way)
    }, 400_000)
    afterAll(() => session?.remove())

    it('passes the gateway as it is', () => {
      expect(run()).toMatchObject({ code: 0 })
      expect(run().out).toContain(closing)
      const asked = session.requests.filter(({ api, kind }) => api !== null && kind !== 'other')
      expect(asked.length).toBeGreaterThan(4)
      const hash = createHash('sha256').update(`Bearer ${token}`).digest('hex')
      for (const request of asked) {
        expect(request.authorizationHash).toBe(hash)
        for (const [name, value] of Object.entries(headers))
          expect(request.headers[name]).toMatch(value)
      }
    })

    it('shows tokens instead of dollars at the end', () => {
      expect(run().errors.trim().split('\n').at(-1)).toMatch(
        /^saved [\d.]+k? of [\d.]+k? tokens \([\d.]+ %\), \d+ items? shortened, nothing lost; palimpsest show \S{6,}$/,
      )
    })
  })
}
