import { useState } from 'preact/hooks'
import {
  apiPaths,
  type ForgetRequest,
  type ForgetResult,
  type MemoryRow,
} from '../../../src/dashboard/types.ts'
import { act } from '../data/actions.ts'
import { refresh } from '../data/answers.ts'
import { post, token } from '../data/api.ts'
import { date, percent } from '../data/format.ts'
import { visible } from '../data/visible-text.ts'

interface MemoryCardProps {
  readonly item: MemoryRow
  readonly byId: ReadonlyMap<string, MemoryRow>
}

/** One item with its earlier versions, and the way to forget it. */
export function MemoryCard({ item, byId }: MemoryCardProps) {
  const earlier = versionsBefore(item, byId)
  return (
    <li>
      <p class="memory-text">
        <span class="badge">{item.kind}</span> <bdi>{visible(item.text)}</bdi>
      </p>
      <p class="muted">
        {item.about !== null && <>{visible(item.about)} · </>}
        since {date(item.validFrom)} · from {item.origin} · {percent(item.confidence)} sure
      </p>
      <details>
        <summary>
          {earlier.length === 0 ? 'Source' : `Source and ${earlier.length} earlier`}
        </summary>
        {item.quote !== null && <blockquote>{visible(item.quote)}</blockquote>}
        {earlier.length > 0 && (
          <ol class="versions">
            {earlier.map((each) => (
              <li key={each.id}>
                <s>{visible(each.text)}</s>{' '}
                <span class="muted">
                  {each.ended?.how ?? 'replaced'}
                  {each.ended !== null && ` on ${date(each.ended.at)}`}
                </span>
              </li>
            ))}
          </ol>
        )}
        <Forget item={item} />
      </details>
    </li>
  )
}

/** Asks what would be removed, warns, and removes it on a second click. */
function Forget({ item }: { readonly item: MemoryRow }) {
  const [plan, setPlan] = useState<ForgetResult | null>(null)
  const ask = async (): Promise<void> => {
    const body: ForgetRequest = { id: item.id, confirm: false }
    const found = await post<ForgetResult>('/memory/forget', body).catch((fault: unknown) => ({
      ok: false,
      message: fault instanceof Error ? fault.message : String(fault),
      copies: [],
    }))
    setPlan(found)
  }
  const forget = async (): Promise<void> => {
    const body: ForgetRequest = { id: item.id, confirm: true }
    await act<ForgetResult>('/memory/forget', body)
    setPlan(null)
    await refresh(apiPaths.memory())
  }
  if (plan === null)
    return (
      <button
        type="button"
        class="button danger small"
        disabled={token.value === null}
        onClick={() => void ask()}
      >
        Forget…
      </button>
    )
  return (
    <div class="warning" role="alertdialog" aria-label="Forget this item">
      <p>
        <b>This cannot be undone.</b> {visible(plan.message)}
      </p>
      {plan.copies.length > 0 && (
        <ul>
          {plan.copies.map(({ where, count }) => (
            <li key={where}>
              {visible(where)}: {count}
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        <button type="button" class="button danger" onClick={() => void forget()}>
          Forget it everywhere
        </button>
        <button type="button" class="button" onClick={() => setPlan(null)}>
          Keep it
        </button>
      </div>
    </div>
  )
}

function versionsBefore(
  item: MemoryRow,
  byId: ReadonlyMap<string, MemoryRow>,
): readonly MemoryRow[] {
  const found: MemoryRow[] = []
  let at = item.replaces
  while (at !== null && found.length < 50) {
    const before = byId.get(at)
    if (before === undefined || found.includes(before)) break
    found.push(before)
    at = before.replaces
  }
  return found
}
