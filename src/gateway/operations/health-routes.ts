import { PalimpsestError } from '../../core/words/errors.ts'
import type { Store } from '../../store/index.ts'
import type { OwnRoute } from '../own-routes.ts'

export interface HealthParts {
  readonly store: Pick<Store, 'findSession'>
  isStopping(): boolean
}

/** A probe that takes longer counts as a store that does not answer. */
const storePatienceMs = 2_000
const headers = { 'cache-control': 'no-store' }

/**
 * `/healthz` says that the process serves; `/readyz`, that it takes requests. A gateway without its store still forwards
 * requests unchanged, so it stays ready: if a lost database made every gateway unready, no agent could work. `?store`
 * answers 503 instead.
 */
export function healthRoutes(parts: HealthParts): readonly OwnRoute[] {
  async function readiness(request: Request): Promise<Response> {
    if (parts.isStopping()) return Response.json({ status: 'stopping' }, { status: 503, headers })
    const store = await storeState(parts.store)
    if (store === 'ok') return Response.json({ status: 'ready', store }, { headers })
    const isRequired = new URL(request.url).searchParams.has('store')
    return Response.json({ status: 'degraded', store }, { status: isRequired ? 503 : 200, headers })
  }
  return [
    { path: '/healthz', fetch: () => Response.json({ status: 'ok' }, { headers }) },
    { path: '/readyz', fetch: readiness },
  ]
}

/** `ok`, or the code of the error. */
async function storeState(store: HealthParts['store']): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, storePatienceMs, 'store-slow')
  })
  const asked = store.findSession({ id: 'readyz' }).then(
    () => 'ok',
    (fault: unknown) => (PalimpsestError.is(fault) ? fault.code : 'store-unreachable'),
  )
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}
