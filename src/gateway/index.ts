/** The gateway, an HTTP proxy between an agent and its provider. */
export { showsToken } from './access.ts'
export { type Gateway, type GatewayOptions, startGateway } from './gateway.ts'
export type { OwnRoute } from './own-routes.ts'
export type { RequestReport } from './record.ts'
export type { GatewayStatus } from './status.ts'
export type { Viewer } from './tokens/viewer.ts'
export { namedUpstream, type Upstreams, upstreamsWith } from './upstreams.ts'
