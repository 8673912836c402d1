import { actionOf } from '../../src/actions/index.ts'
import type { TracedItem, TracedRequest, TracedSession } from './session.ts'

/** Of how many requests, how many showed it. */
export interface KeptShare {
  readonly kept: number
  readonly of: number
}

/** E4: the user's texts, unchanged, at every request. E5: the latest whole task list. */
export function createKeptChecks(
  unpruned: TracedSession,
): (session: TracedSession) => { readonly E4: KeptShare; readonly E5: KeptShare } {
  const lists = new Set(unpruned.items.filter(isWholeList).map(({ i }) => i))
  return (session) => {
    const users = { kept: 0, of: 0 }
    const tasks = { kept: 0, of: 0 }
    for (const [index, own] of unpruned.requests.entries()) {
      const request = session.requests[index]
      const shown = new Map(request?.view.map(({ item, text }) => [item.i, text]))
      const isKept = ({ item, text }: TracedRequest['view'][number]): boolean =>
        shown.get(item.i) === text
      const texts = own.view.filter(({ item }) => item.role === 'user' && item.kind === 'text')
      users.of++
      if (texts.every(isKept)) users.kept++
      const list = own.view.findLast(({ item }) => lists.has(item.i))
      if (list === undefined) continue
      tasks.of++
      if (isKept(list)) tasks.kept++
    }
    return { E4: users, E5: tasks }
  }
}

function isWholeList(item: TracedItem): boolean {
  if (item.kind !== 'call') return false
  const action = actionOf({ tool: item.tool ?? '', text: item.text })
  return action.kind === 'list' && action.op === 'write'
}
