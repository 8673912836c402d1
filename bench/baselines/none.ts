import { asAgentShows, type Policy } from '../score/policy.ts'

/** No pruning: the requests as the agent sends them. All other policies are compared with it. */
export const none: Policy = {
  name: 'none',
  source: 'the recording itself',
  parameters: '-',
  begin: () => (request) => request.view.map(asAgentShows),
}
