/** When a request is made, and for which model. */
export interface RequestMoment {
  /** Milliseconds since 1970; null counts as directly after the previous request. */
  readonly at: number | null
  readonly model: string | null
  /** The cache lifetime that the request asks for; left out when it does not say. */
  readonly lifetime?: 'short' | 'long' | undefined
  /** The provider clears old results by itself, so no epoch opens on a warm cache to save cost. */
  readonly isDelegated?: boolean
  /** A replay of a request that was already sent: no epoch opens and nothing is recorded. */
  readonly isRepeated?: boolean
  /** The conversation goes on without it, so an epoch opens only where the context would not fit. */
  readonly isAside?: boolean
  /**
   * Pruning is paused: what was left out before stays left out, because those bytes are cached, and nothing else is left out.
   * What strategies propose meanwhile waits for an epoch after the pause.
   */
  readonly isPaused?: boolean
  /**
   * Requests were sent that were not seen here, so the provider may have cached the history as the client sent it. Only what
   * follows the newest answer counts as new.
   */
  readonly isJoined?: boolean
  /** False when the provider caches nothing of this request, because it does not ask for it. */
  readonly mayBeCached?: boolean
  /** Characters of the system prompt and the tool definitions; left out when not known. */
  readonly prefixCharacters?: number
  /** Whose cache the provider uses, as a hash of the credential; left out when not known. */
  readonly account?: string | undefined
  /** The tool or command that restores originals for this agent, null when it has none; defaults to the engine's option. */
  readonly restore?: string | null | undefined
}
