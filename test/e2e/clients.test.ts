import { claudeCode } from './claude-code.ts'
import { describeClients } from './client-suite.ts'
import { codex } from './codex.ts'
import { pi } from './pi.ts'

describeClients([
  claudeCode('2.1.197', 'claude-sonnet-4-5'),
  claudeCode('2.1.325'),
  codex('0.166.0'),
  pi('0.73.1', 'anthropic'),
  pi('0.73.1', 'openai-chat'),
  pi('0.73.1', 'openai-responses'),
])
