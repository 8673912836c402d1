import { PalimpsestError } from '../core/words/errors.ts'

/**
 * Puts the gateway between an agent and the address that it uses now. An agent that uses its provider's own address gets
 * the gateway's; one with another address gets a path of the gateway that leads there.
 */
export interface Rerouting {
  readonly url: string
  /** Addresses that the gateway must know, by name. */
  readonly upstreams: Readonly<Record<string, string>>
  /**
   * @param address where the agent sends its requests now; undefined for the provider's own address.
   * @param path what the agent expects behind the provider's own address, such as `/v1`.
   */
  through(name: string, address: string | undefined, path?: string): string
}

/** @param kept addresses of gateways whose paths this one serves too. */
export function createRerouting(url: string, kept: readonly string[] = []): Rerouting {
  const upstreams: Record<string, string> = {}
  return {
    url,
    upstreams,
    through(name, address, path = '') {
      if (address === undefined || address.trim() === '') return `${url}${path}`
      const parsed = parsedAddress(name, address)
      if ([url, ...kept].some((each) => new URL(each).origin === parsed.origin))
        return `${url}${parsed.pathname.replace(/\/+$/, '')}`
      upstreams[name] = parsed.href.replace(/\/+$/, '')
      return `${url}/${name}`
    },
  }
}

function parsedAddress(name: string, address: string): URL {
  if (URL.canParse(address)) return new URL(address)
  throw new PalimpsestError(
    'configuration',
    `the address that ${name} uses now is not a URL: "${address}". Fix it, and try again.`,
  )
}
