/** A named token of a person or a program. The store has only the hash of its secret. */
export interface StoredToken {
  readonly id: string
  readonly name: string
  /** SHA-256 of the secret, in hex. */
  readonly hash: string
  /** Milliseconds since 1970, as are the others. */
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

/** What the sessions of an owner amount to. */
export interface OwnerStatistics {
  readonly owner: string
  readonly sessions: number
  readonly usedAt: number
  /** Sums of the sessions' statistics. */
  readonly statistics: Readonly<Record<string, number>>
}

/** What gateways of one store share besides sessions: named tokens, and who does a job for all of them. */
export interface Team {
  addToken(token: StoredToken): Promise<void>
  findToken(id: string): Promise<StoredToken | null>
  /** Oldest first, revoked and expired ones included. */
  tokens(): Promise<readonly StoredToken[]>
  /** Revokes the token of this id, or all of this name; gives those that were revoked now. */
  revokeTokens(idOrName: string, at: number): Promise<readonly StoredToken[]>
  owners(): Promise<readonly OwnerStatistics[]>
  /** The owners by the numbers of their sessions. */
  sessionOwners(): Promise<ReadonlyMap<number, string>>
  /** Whether the caller does this job now. For as long as it says, nobody else does. */
  claim(job: string, at: number, forMs: number): Promise<boolean>
}
