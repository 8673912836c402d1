import type { ComponentChildren } from 'preact'
import { type Answer, refresh, useAnswer } from '../data/answers.ts'

/** Reads an address and shows its view, or why there is none yet. */
export function Read<Data>({
  path,
  children,
}: {
  readonly path: string
  readonly children: (data: Data) => ComponentChildren
}) {
  const answer: Answer<Data> = useAnswer<Data>(path)
  switch (answer.kind) {
    case 'loading':
      return <Loading />
    case 'failed':
      return (
        <Failed status={answer.status} message={answer.message} again={() => void refresh(path)} />
      )
    case 'ready':
      return <>{children(answer.data)}</>
  }
}

function Loading() {
  return (
    <div class="state" role="status">
      <span class="pulse" aria-hidden="true" />
      <p>Loading…</p>
    </div>
  )
}

interface FailedProps {
  readonly status: number
  readonly message: string
  again(): void
}

function Failed({ status, message, again }: FailedProps) {
  return (
    <div class="state" role="alert">
      <h2>{titleOf(status)}</h2>
      <p>{message}</p>
      <button type="button" class="button" onClick={again}>
        Try again
      </button>
    </div>
  )
}

function titleOf(status: number): string {
  if (status === 0) return 'No connection'
  if (status === 401) return 'A token is required'
  if (status === 404) return 'Not found'
  return 'This could not be read'
}

export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="state">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
