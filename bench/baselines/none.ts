import { asAgentShows, type Policy } from '../score/policy.ts'

/** Everything as the agent itself sends it: what all others are measured against. */
export const none: Policy = {
  name: 'none',
  source: 'the recording itself',
  parameters: '-',
  begin: () => (request) => request.view.map(asAgentShows),
}
