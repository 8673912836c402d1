import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientFacts } from '../formats/client-facts.ts'
import type { Body } from '../formats/format.ts'
import type { Identity } from '../session/identity.ts'
import { isFromThisMachine } from './access.ts'
import { createBodyBudget } from './body-budget.ts'
import type { IncomingRequest } from './decide.ts'
import type { Decided } from './decided.ts'
import type { DecisionQueue, QueuedWork } from './decision-queue.ts'
import { withClears } from './delegation.ts'
import type { Answered, ForwardedBody, Forwarder, Forwarding } from './forward.ts'
import type { Limits } from './limits.ts'
import { receiptText } from './receipt.ts'
import { busyReason, receive } from './receive.ts'
import { type RequestReport, record } from './record.ts'
import type { ModelRoute, Route } from './route.ts'
import type { StatusCounter } from './status.ts'
import { mayBindReasoning } from './take-turn.ts'
import { ownedBy, type Viewer } from './tokens/viewer.ts'
import type { UsageWriter } from './usage-writer.ts'

export interface ExchangeOptions {
  /** See `decideInTurn`. */
  decide(work: QueuedWork<IncomingRequest>): Promise<Decided | null>
  isInMemory(identity: Identity): boolean
  /** Called for a request that is sent unchanged because the gateway is overloaded. */
  onShed(): void
  readonly forwarder: Forwarder
  readonly usageWriter: UsageWriter
  readonly counter: StatusCounter
  readonly limits: Pick<Limits, 'bodyBytes'>
  readonly queue: Pick<DecisionQueue, 'arrival'>
  onFault(reason: string, fault: unknown): void
  /** Gets every request for a model when its answer has ended. */
  onAnswered(report: RequestReport): void
  now(): number
}

/** A request for a model and its answer. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly route: Route
  readonly model: ModelRoute
  readonly upstream: URL
  /** The owner of a named token, whose sessions are separate from those of others. */
  readonly viewer: Viewer
}

/** Takes a request for a model through receive → decide → forward → record. */
export function createExchange(options: ExchangeOptions): (exchange: Exchange) => Promise<void> {
  const { queue } = options
  const budget = createBodyBudget(options.limits.bodyBytes)

  function unread(body: ForwardedBody, bypass: string): Outgoing {
    if (bypass === busyReason) options.onShed()
    const receipt = { bypass, tokens: null, epoch: null, opened: null, saved: null }
    options.counter.countRequest(receipt, false)
    return { sent: { body, receipt: receiptText(receipt) }, onAnswered() {} }
  }

  async function receiveAndDecide(exchange: Exchange): Promise<Outgoing> {
    const { request, route, model, viewer } = exchange
    const arrived = queue.arrival()
    const share = budget.share()
    try {
      const received = await receive(request, model.format, share)
      if (received.kind === 'unreadable') return unread(received.body, received.reason)
      const { bytes, unpacked } = received
      const identity = ownedBy(received.identity, viewer)
      const isKnown = options.isInMemory(identity)
      const at = options.now()
      const decided = await options.decide({
        queued: { arrived, isKnown, mayPass: () => !mayBindReasoning(unpacked) },
        request: {
          route: model,
          upstream: route.upstream,
          identity,
          body: unpacked,
          isLocal: isFromThisMachine(request),
        },
      })
      if (decided === null) return unread({ kind: 'original', bytes }, busyReason)
      const isChanged = decided.body !== unpacked
      options.counter.countRequest(decided.receipt, isChanged)
      if (decided.fault !== null)
        options.onFault(
          decided.receipt.bypass ?? decided.receipt.unsaved ?? 'unknown',
          decided.fault,
        )
      const original = { kind: 'original', bytes } as const
      const body = isChanged ? changed(bytesOf(decided.body)) : original
      const client = clientFacts(request.headers, request.url ?? '/')
      const { sent, onAnswered } = outgoing(decided, body, (shown, answered) => {
        const { usageWriter } = options
        options.onAnswered(
          record({ model, decided: shown, answered, client, at, viewer }, usageWriter),
        )
      })
      const isUnread = decided.receipt.bypass?.startsWith('store-') === true
      return { sent: { ...sent, isUnsure: isUnread && mayBindReasoning(unpacked) }, onAnswered }
    } finally {
      share.release()
    }
  }

  // An async function would hold the body until the answer ends.
  return (exchange) =>
    receiveAndDecide(exchange).then(({ sent, onAnswered }) => {
      const { request, response, upstream, route, model } = exchange
      const to = { request, response, upstream, path: route.path, format: model.format }
      return options.forwarder.forward({ ...to, ...sent }).then(onAnswered)
    })
}

interface Outgoing {
  readonly sent: Pick<Forwarding, 'body' | 'receipt' | 'addedHeader' | 'fallback' | 'isUnsure'>
  /** Called when the answer has ended. Does not hold the body. */
  onAnswered(answered: Answered): void
}

function outgoing(
  { body: decidedBody, ...decided }: Decided,
  body: ForwardedBody,
  recordAs: (shown: Omit<Decided, 'body'>, answered: Answered) => void,
): Outgoing {
  const receipt = receiptText(decided.receipt)
  const { clears } = decided
  if (clears === null)
    return { sent: { body, receipt }, onAnswered: (answered) => recordAs(decided, answered) }
  const delegated = { ...decided, receipt: { ...decided.receipt, isDelegated: true } }
  return {
    sent: {
      body: changed(withClears(decidedBody, clears)),
      receipt: receiptText(delegated.receipt),
      addedHeader: clears.header,
      fallback: { body, receipt },
    },
    onAnswered(answered) {
      if (answered.isFallback && answered.status !== 400) clears.refused()
      recordAs(answered.isFallback ? decided : delegated, answered)
    },
  }
}

function changed(bytes: Uint8Array): ForwardedBody {
  return { kind: 'changed', bytes }
}

function bytesOf(body: Body): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body
}
