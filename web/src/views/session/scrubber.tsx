interface ScrubberProps {
  readonly at: number
  readonly last: number
  choose(request: number): void
}

/** Selects any request of the session. */
export function Scrubber({ at, last, choose }: ScrubberProps) {
  return (
    <div class="scrubber">
      <button
        type="button"
        class="button small"
        disabled={at <= 1}
        aria-label="Request before"
        onClick={() => choose(at - 1)}
      >
        ‹
      </button>
      <input
        type="range"
        min={1}
        max={last}
        value={at}
        aria-label="Request"
        aria-valuetext={`Request ${at} of ${last}`}
        onInput={(event) => choose(Number(event.currentTarget.value))}
      />
      <button
        type="button"
        class="button small"
        disabled={at >= last}
        aria-label="Request after"
        onClick={() => choose(at + 1)}
      >
        ›
      </button>
      <output>
        Request <b>{at}</b> of {last}
      </output>
    </div>
  )
}
