import { appendFileSync, existsSync, writeSync } from 'node:fs'
import { hostedPlugin } from '../agent/hosted.ts'
import { hashOf, journalIn, mostSteps, workOn } from './work.ts'

/**
 * A host of the OpenCode plugin that works until it is killed. It keeps its own messages, as OpenCode does, and writes down what
 * each request was. The next host goes on with the last of them, and then with the session.
 */
async function work(file: string, name: string): Promise<void> {
  const plugin = await hostedPlugin({ given: { store: file } })
  for (let number = 0; ; number++) {
    const id = `${name}-${number}`
    const journal = `${file}.${id}`
    const known = existsSync(journal) ? journalIn(journal) : []
    const [last = -1] = known.at(-1) ?? []
    if (last === mostSteps - 1) continue
    const conversation = plugin.conversation(id)
    conversation.say(`Work on ${id}.`)
    for (let step = 0; step < mostSteps; step++) {
      if (step >= last) {
        const hash = hashOf(await conversation.request())
        appendFileSync(journal, `${JSON.stringify([step, hash])}\n`)
        writeSync(1, `${JSON.stringify({ id, messages: step + 1, ledger: 0, entries: 0 })}\n`)
      }
      workOn(conversation, step)
    }
  }
}

const [location = '', name = ''] = process.argv.slice(2)
await work((JSON.parse(location) as { readonly path: string }).path, name)
