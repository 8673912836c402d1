import http from 'node:http'
import type { ConfigFile } from '../../src/config/config.ts'
import {
  type Gateway,
  type GatewayOptions,
  startGateway,
  upstreamsWith,
} from '../../src/gateway/index.ts'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import { type RecordingUpstream, startRecordingUpstream } from './recording-upstream.ts'

export interface SettingOptions extends Partial<Omit<GatewayOptions, 'config'>> {
  readonly config?: ConfigFile
}

/** A gateway in front of one recording upstream for all providers. */
export interface Setting {
  readonly gateway: Gateway
  readonly upstream: RecordingUpstream
  readonly store: Store
  readonly faults: readonly string[]
  /** Another gateway takes its place, as after a restart. */
  restart(): Promise<void>
  /** Sends a body as it is. */
  post(
    path: string,
    body: string | Buffer,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>
  stop(): Promise<void>
}

export interface Reply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

export async function startSetting(options: SettingOptions = {}): Promise<Setting> {
  const upstream = await startRecordingUpstream()
  const { config = {}, store = createMemoryStore(), ...rest } = options
  const faults: string[] = []
  const start = (): Promise<Gateway> =>
    startGateway({
      store,
      config: { ...config, toolMappings: [], warnings: [] },
      upstreams: upstreamsWith({
        anthropic: upstream.url,
        openai: upstream.url,
        gemini: upstream.url,
      }),
      onFault: (reason, fault) => faults.push(`${reason}: ${String(fault)}`),
      ...rest,
    })
  let gateway = await start()
  return {
    get gateway(): Gateway {
      return gateway
    },
    upstream,
    store,
    faults,
    async restart() {
      await gateway.close(0)
      gateway = await start()
    },
    post: (path, body, headers = {}) => post(`${gateway.url}${path}`, body, headers),
    async stop() {
      await gateway.close(0)
      await upstream.stop()
    },
  }
}

/** Plain `http`, because `fetch` adds headers and unpacks answers. */
export function post(
  url: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          ...headers,
        },
        agent: false,
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts).toString('utf8'),
          }),
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
