import { describeClients } from './client-suite.ts'
import { openCode } from './opencode.ts'

// A file of its own: it takes as long as all other clients together.
describeClients([
  openCode('1.18.33', 'anthropic'),
  openCode('1.18.33', 'openai-chat'),
  openCode('1.18.33', 'openai-responses'),
])
