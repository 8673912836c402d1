import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { PalimpsestError } from '../../src/core/words/errors.ts'
import type { MessageDraft } from '../../src/core/words/item.ts'
import { openStore } from '../../src/store/index.ts'
import { nothing, say, ToldSession } from './told.ts'

/** What a store does in a folder that has no room or takes no writes; one line of JSON says it. */
const [task = '', folder = ''] = process.argv.slice(2)
const file = path.join(folder, 'store.db')

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    return PalimpsestError.is(error) ? error.code : String(error)
  }
}

/** Text that does not compress, another one for every number. */
function noise(number: number): string {
  let state = number + 1
  return Array.from({ length: 20_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return String.fromCharCode(33 + ((state >>> 8) % 90))
  }).join('')
}

async function fill(): Promise<object> {
  const ballast = path.join(folder, 'ballast')
  writeFileSync(ballast, Buffer.alloc(300_000))
  const store = await openStore({ kind: 'sqlite', path: file })
  const session = await store.openSession({ id: 'full', origin: 'test' })
  const told = new ToldSession()
  const drafts: MessageDraft[] = []
  let expected = nothing
  let code = 'none'
  for (let turn = 0; turn < 500 && code === 'none'; turn++) {
    drafts.push(say(noise(turn)))
    const messages = told.tell(drafts)
    code = await codeOf(
      store.append(session, { expected, messages }).then((outcome) => {
        if (outcome.kind === 'done') expected = outcome.extent
      }),
    )
  }
  const loaded = await store.load(session)
  writeFileSync(ballast, '')
  const missing = told.record.messages.slice(expected.messages)
  const after = await store.append(session, {
    expected,
    messages: missing.map(({ index, items }) => ({
      previous: index - 1,
      draft: drafts[index]!,
      handles: items.map(({ handle }) => handle),
    })),
  })
  const problems = await store.check()
  await store.close()
  return {
    code,
    kept: loaded.messages.length === expected.messages && expected.messages > 0,
    isSame: loaded.messages.every(({ draft }, at) => draft.items[0]?.text === noise(at)),
    after: after.kind,
    problems,
  }
}

const made = {
  make: () => openStore({ kind: 'sqlite', path: file }).then((store) => store.close()),
}
const report =
  task === 'fill'
    ? await fill()
    : { code: await codeOf(made.make()), other: await codeOf(openOther()) }
console.log(JSON.stringify(report))

function openOther(): Promise<unknown> {
  return openStore({ kind: 'sqlite', path: path.join(folder, 'below', 'other.db') })
}
