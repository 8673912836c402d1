import { describe, expect, it } from 'vitest'
import { clientFacts, limitsIn } from './client-facts.ts'

describe('what a request says about its client', () => {
  it.each([
    ['claude-cli/2.1.297 (external, cli)', 'claude-code'],
    ['codex_cli_rs/0.163.0 (Debian 12; x86_64)', 'codex'],
    ['opencode/1.18.31 ai-sdk/anthropic/3.0', 'opencode'],
    ['GeminiCLI/0.30.0/gemini-3-pro (linux; x64)', 'gemini-cli'],
    ['copilot/1.0.5 (linux)', 'copilot-cli'],
    ['pi/0.70.0 (linux)', 'pi'],
    ['Anthropic/JS 1.8.0', 'anthropic'],
    ['\u001b[31m', null],
  ])('%s is %s', (agent, expected) => {
    expect(clientFacts({ 'user-agent': agent }, '/').agent).toBe(expected)
  })

  it.each([
    ['an API key of Anthropic', { 'x-api-key': 'sk-ant-api03-x' }, '/', 'tokens'],
    ['an API key as bearer', { authorization: 'Bearer sk-proj-x' }, '/', 'tokens'],
    ['a key in the query', {}, '/v1beta/models?key=AIza', 'tokens'],
    ['a login with Claude', { authorization: 'Bearer sk-ant-oat01-x' }, '/', 'subscription'],
    [
      'a login with ChatGPT',
      { authorization: 'Bearer x', 'chatgpt-account-id': 'a' },
      '/',
      'subscription',
    ],
    ['a login with Google', { authorization: 'Bearer ya29.x' }, '/', 'subscription'],
    ['a login with GitHub', { authorization: 'Bearer ghu_x' }, '/', 'subscription'],
    [
      'a beta of OAuth',
      { authorization: 'Bearer x', 'anthropic-beta': 'a,oauth-2025-04-20' },
      '/',
      'subscription',
    ],
    ['nothing', {}, '/', null],
  ])('%s: how its user pays', (_, headers, url, expected) => {
    expect(clientFacts(headers, url).billing).toBe(expected)
  })

  it('finds how much of the limits is used', () => {
    expect(
      limitsIn({
        'anthropic-ratelimit-unified-5h-utilization': '0.42',
        'anthropic-ratelimit-unified-7d-utilization': '0.3',
        'anthropic-ratelimit-unified-status': 'allowed',
      }),
    ).toEqual({ '5h': 0.42, '7d': 0.3 })
    expect(
      limitsIn({ 'x-codex-primary-used-percent': '12', 'x-codex-primary-window-minutes': '300' }),
    ).toEqual({ '5h': 0.12 })
    expect(
      limitsIn({ 'content-type': 'text/plain', 'anthropic-ratelimit-unified-5h-utilization': '' }),
    ).toBeNull()
  })
})
