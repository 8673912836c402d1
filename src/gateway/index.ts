/** The gateway: between an agent and its provider, any agent, one variable. */
export { type Gateway, type GatewayOptions, type OwnRoute, startGateway } from './gateway.ts'
export type { GatewayStatus } from './statistics.ts'
export { namedUpstream, providers, type Upstreams, upstreamsWith } from './upstreams.ts'
