/** When a request is made, and for which model. */
export interface RequestMoment {
  /** Milliseconds since 1970; null counts as directly after the request before. */
  readonly at: number | null
  readonly model: string | null
  /** The provider clears old results by itself, so that no epoch opens on a warm cache because it pays. */
  readonly isDelegated?: boolean
  /** It went out before and is only gone through again: no epoch opens, and nothing is booked. */
  readonly isRepeated?: boolean
  /** What brings originals back where the agent runs, a tool or a command; without it, that of the engine's options. */
  readonly restore?: string | null | undefined
}
