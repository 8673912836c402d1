import type { RunRequest, RunSetup } from './agent.ts'

/** The variables that SDKs and most agents read, with the end that each expects. */
const variables = {
  ANTHROPIC_BASE_URL: '',
  OPENAI_BASE_URL: '/v1',
  OPENAI_API_BASE: '/v1',
  GOOGLE_GEMINI_BASE_URL: '',
} as const

/** Starts a command of which nothing is known with the variables of the SDKs. */
export function runAnyCommand({ gateway, args, env }: RunRequest): RunSetup {
  const entries = Object.entries(variables).map(([name, end]) => {
    const upstream = name.toLowerCase().replace(/_(?:base_url|api_base)$/, '')
    return [name, gateway.through(`own-${upstream}`, env[name], end)]
  })
  return { env: Object.fromEntries(entries) as Record<string, string>, args }
}
