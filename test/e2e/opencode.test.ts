import { newestVersion } from '../../scripts/agents.mjs'
import { describeClients } from './client-suite.ts'
import { openCode } from './opencode.ts'

// A file of its own: it takes as long as all other clients together.
describeClients([
  openCode(newestVersion('opencode'), 'anthropic'),
  openCode(newestVersion('opencode'), 'openai-chat'),
  openCode(newestVersion('opencode'), 'openai-responses'),
  openCode('1.18.33', 'anthropic'),
])
