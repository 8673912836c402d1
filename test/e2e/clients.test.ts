import { newestVersion } from '../../scripts/agents.mjs'
import { claudeCode } from './claude-code.ts'
import { describeClients } from './client-suite.ts'
import { codex } from './codex.ts'
import { copilotCli } from './copilot-cli.ts'
import { geminiCli } from './gemini-cli.ts'
import { pi } from './pi.ts'
import { qwenCode } from './qwen-code.ts'

describeClients([
  claudeCode(newestVersion('claude-code'), 'claude-sonnet-4-5'),
  claudeCode(newestVersion('claude-code')),
  claudeCode('2.1.197', 'claude-sonnet-4-5'),
  claudeCode('2.1.325'),
  codex(newestVersion('codex')),
  codex('0.166.0'),
  pi(newestVersion('pi'), 'anthropic'),
  pi(newestVersion('pi'), 'openai-chat'),
  pi(newestVersion('pi'), 'openai-responses'),
  pi('0.73.1', 'anthropic'),
  pi('0.73.1', 'openai-chat'),
  pi('0.73.1', 'openai-responses'),
  geminiCli(newestVersion('gemini-cli')),
  copilotCli(newestVersion('copilot-cli'), 'anthropic'),
  copilotCli(newestVersion('copilot-cli'), 'openai-chat'),
  copilotCli(newestVersion('copilot-cli'), 'openai-responses'),
  qwenCode(newestVersion('qwen-code'), 'openai-chat'),
  qwenCode(newestVersion('qwen-code'), 'anthropic'),
])
