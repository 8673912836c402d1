import {
  type ActionResult,
  apiPaths,
  type MemoryConflict,
  type MemoryRow,
  type ReviewRequest,
} from '../../../src/dashboard/types.ts'
import { act } from '../data/actions.ts'
import { refresh } from '../data/answers.ts'
import { token } from '../data/api.ts'
import { date } from '../data/format.ts'
import { visible } from '../data/visible-text.ts'

interface ConflictsProps {
  readonly conflicts: readonly MemoryConflict[]
  readonly byId: ReadonlyMap<string, MemoryRow>
}

/** Items that contradict each other, for a person to decide. */
export function Conflicts({ conflicts, byId }: ConflictsProps) {
  if (conflicts.length === 0) return null
  return (
    <section class="card review">
      <h2>To review</h2>
      <ul class="plain">
        {conflicts.map((conflict) => (
          <Conflict key={conflict.id} conflict={conflict} byId={byId} />
        ))}
      </ul>
    </section>
  )
}

const outcomes: readonly (readonly [ReviewRequest['outcome'], string])[] = [
  ['accept', 'The newer replaces it'],
  ['reject', 'Keep the older'],
  ['both', 'Both are true'],
]

function Conflict({
  conflict,
  byId,
}: {
  readonly conflict: MemoryConflict
  readonly byId: ReadonlyMap<string, MemoryRow>
}) {
  const decide = async (outcome: ReviewRequest['outcome']): Promise<void> => {
    const body: ReviewRequest = { conflict: conflict.id, outcome }
    await act<ActionResult>('/memory/review', body)
    await refresh(apiPaths.memory())
  }
  return (
    <li>
      <p class="sentence">{visible(conflict.reason)}.</p>
      <div class="sides">
        {conflict.items.map((id, index) => {
          const item = byId.get(id)
          return (
            <blockquote key={id}>
              <small class="muted">
                {index === 0 ? 'Older' : 'Newer'}
                {item !== undefined && `, ${date(item.recordedAt)}`}
              </small>
              <bdi>{item === undefined ? id : visible(item.text)}</bdi>
            </blockquote>
          )
        })}
      </div>
      <div class="actions">
        {outcomes.map(([outcome, label]) => (
          <button
            type="button"
            class="button"
            key={outcome}
            disabled={token.value === null}
            onClick={() => void decide(outcome)}
          >
            {label}
          </button>
        ))}
        {token.value === null && (
          <small class="muted">Read-only: open the address that serve prints to decide.</small>
        )}
      </div>
    </li>
  )
}
