import type { ConfigFile } from './config.ts'

/** What is left of a project's configuration, and what was not taken from it. */
export interface TrustedPart {
  readonly config: ConfigFile
  readonly refused: readonly string[]
}

/**
 * A project comes from anywhere: its file may not send what is said in it, or a key, to a server of its choice. Such
 * addresses are taken from the user's own file, from one that is named, or from the command line.
 */
export function trustedPart(file: ConfigFile): TrustedPart {
  const { store, upstreams, memory, ...rest } = file
  const refused: string[] = []
  if (store?.includes('://') === true) refused.push('a store that is a URL')
  if (upstreams !== undefined) refused.push('upstreams')
  if (memory?.extractor !== undefined) refused.push('memory.extractor')
  if (refused.length === 0) return { config: file, refused }
  const { extractor: _, ...harmless } = memory ?? {}
  return {
    config: {
      ...rest,
      ...(store === undefined || store.includes('://') ? {} : { store }),
      ...(memory === undefined ? {} : { memory: harmless }),
    },
    refused,
  }
}
