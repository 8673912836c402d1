/** OpenCode's calls to a plugin, for one session in one process. */
export interface HostedSession {
  /** The hooks before one call to the model, on messages fresh from the database; changes them in place. */
  beforeRequest(messages: unknown[]): Promise<void>
}

/** A context pruner behind OpenCode's hooks. */
export interface Pruner {
  readonly name: string
  /** A new session, as after a start of the host. */
  open(sessionId: string): Promise<HostedSession>
}
