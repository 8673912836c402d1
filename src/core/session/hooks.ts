import type { Scene, Strategy } from '../propose/strategy.ts'
import type { Item, Message } from '../words/item.ts'
import type { Operation } from '../words/operation.ts'

type OperationHook = NonNullable<Strategy['operation']>
type MessageHook = NonNullable<Strategy['message']>
type RequestHook = NonNullable<Strategy['request']>

/**
 * What strategies do, in their order. A long history is gone through turn by turn, and few strategies have something to do
 * with any one operation or message: those that say which are asked about no others.
 */
export interface Hooks {
  operation(operation: Operation, scene: Scene): void
  message(message: Message, scene: Scene): void
  request(scene: Scene): void
  /** The same with what each does in an epoch, where every request is one. */
  openRequest(scene: Scene): void
}

export function createHooks(strategies: readonly Strategy[]): Hooks {
  const operationHooks = createByKind<OperationHook>((kind) =>
    strategies.flatMap(({ operation, actions }) =>
      operation !== undefined && (actions?.some((each) => each === kind) ?? true) ? operation : [],
    ),
  )
  const messageHooks = createByKind<MessageHook>((kind) =>
    strategies.flatMap(({ message, items }) =>
      message !== undefined && (items?.some((each) => each === kind) ?? true) ? message : [],
    ),
  )
  const allMessageHooks = strategies.flatMap(({ message }) => message ?? [])
  const requestHooks = strategies.flatMap(({ request }) => request ?? [])
  const openHooks = strategies
    .flatMap(({ request, epoch }) => [request, epoch])
    .filter((hook) => hook !== undefined)

  function ask(hooks: readonly RequestHook[], scene: Scene): void {
    for (let at = 0; at < hooks.length; at++) (hooks[at] as RequestHook)(scene)
  }

  return {
    operation(operation, scene) {
      const hooks = operationHooks(operation.action.kind)
      for (let at = 0; at < hooks.length; at++) (hooks[at] as OperationHook)(operation, scene)
    },
    message(message, scene) {
      const { items } = message
      const hooks = items.length === 1 ? messageHooks((items[0] as Item).kind) : allMessageHooks
      for (let at = 0; at < hooks.length; at++) (hooks[at] as MessageHook)(message, scene)
    },
    request: (scene) => ask(requestHooks, scene),
    openRequest: (scene) => ask(openHooks, scene),
  }
}

/** Made when a kind is first met. */
function createByKind<Hook>(
  make: (kind: string) => readonly Hook[],
): (kind: string) => readonly Hook[] {
  const known = new Map<string, readonly Hook[]>()
  return (kind) => {
    const hooks = known.get(kind)
    if (hooks !== undefined) return hooks
    const made = make(kind)
    known.set(kind, made)
    return made
  }
}
