import * as z from 'zod'
import { plural } from '../../core/render/counts.ts'
import { cutEnd, oneLine } from '../../core/render/cut.ts'
import { PalimpsestError } from '../../core/words/errors.ts'
import {
  type ForgetInput,
  forgetMatching,
  forgetTarget,
  messagesToForget,
} from '../forget/forget-matching.ts'
import {
  canSee,
  type MemoryOperation,
  memoryOperation,
  type Removal,
  visibleItem,
} from './operation.ts'

const input = z.object({
  ids: z.array(z.string().describe('the id of a memory item')).optional(),
  search: z.string().optional().describe('every item and message that says these words'),
  subject: z.string().optional().describe('every item about this subject or attribute'),
})

/** Limits the output: a store from elsewhere may name any number of files. */
const mostFilesNamed = 20
const mostTextsShown = 5
const shownLength = 100

export const forget: MemoryOperation = memoryOperation({
  name: 'forget',
  effect: 'removes',
  input,
  command: {
    description: 'remove items and the messages they came from, everywhere and for good',
    arguments: [['[ids...]', 'ids of items']],
    options: [
      ['--search <text>', 'every item and message with these words'],
      ['--subject <name>', 'every item about this subject or attribute'],
    ],
    help: `
Files that \`memory export --to\` wrote for you on this machine are changed too. Other files that the store names are listed and
stay as they are.

Examples:
  palimpsest memory forget fact_1a2b3c4d
  palimpsest memory forget --search "my address" --yes`,
    input([given], { search, subject }) {
      const ids = [given ?? []].flat()
      if (namesNothing({ ids, search, subject }))
        throw new PalimpsestError(
          'usage',
          'name the items to forget, or give --search or --subject',
        )
      return { ids, search, subject }
    },
  },
  toolDescription:
    'Removes memory items and the messages that they came from, everywhere and for good. ' +
    'Only when the user asks for it; the user is asked to confirm.',
  async run(words, access) {
    const { memory } = access
    const { ids = [], search = '', subject = '' } = words
    if (namesNothing(words))
      throw new PalimpsestError('usage', 'name the items to forget: ids, search or subject')
    for (const id of ids) visibleItem(access, id)
    const meant: ForgetInput = {
      ids,
      ...(search.trim() === '' ? {} : { search }),
      ...(subject.trim() === '' ? {} : { subject }),
      isMeant: ({ id }) => canSee(access, id),
    }
    const { state } = memory
    const target = forgetTarget(state, meant)
    const texts = target.items.flatMap((id) => state.items.get(id)?.item.text ?? [])
    const messages = messagesToForget(state, target).map(({ text }) => text)
    if (!(await access.consent(removalOf(meant, target.items, [...texts, ...messages]))))
      return null
    // Copies go first: if that fails, the same command still finds the items.
    const sessions = await access.forgetInSessions(target)
    const forgotten = forgetMatching(memory, meant)
    await memory.save()
    const { changed: files, left } = access.forgetInExports(target)
    return { forgotten, messages: messages.length, sessions, files, left }
  },
  text: ({ forgotten, messages, sessions, files, left }) => [
    `forgotten: ${forgotten.length === 0 ? 'nothing' : forgotten.join(', ')}`,
    ...(messages === 0 ? [] : [`removed ${plural(messages, 'kept message')}`]),
    ...sessions.map((id) => `removed from session ${id}`),
    ...files.map((file) => `removed from ${file}`),
    ...left
      .slice(0, mostFilesNamed)
      .map(({ path, reason }) => `not changed: ${path.replace(/\p{Cc}/gu, '\uFFFD')} (${reason})`),
    ...(left.length > mostFilesNamed ? [`and ${left.length - mostFilesNamed} more`] : []),
  ],
})

function namesNothing({ ids = [], search = '', subject = '' }: z.infer<typeof input>): boolean {
  return ids.length === 0 && search.trim() === '' && subject.trim() === ''
}

function removalOf(
  { ids = [], search, subject }: ForgetInput,
  items: readonly string[],
  texts: readonly string[],
): Removal {
  const shown = texts
    .slice(0, mostTextsShown)
    .map((text) => `- ${cutEnd(oneLine(text), shownLength)}`)
  return {
    action: 'memory forget',
    ids: items,
    question: [
      ...shown,
      ...(texts.length > shown.length ? [`and ${texts.length - shown.length} more`] : []),
      `Forget ${plural(items.length, 'item')} and ${plural(texts.length - items.length, 'kept message')}, and every line of sessions and exports that says the same, for good?`,
    ].join('\n'),
    detailedQuestion: [
      'Forget this for good, in the memory and in every line of stored sessions and exports that says it?',
      ...(search === undefined
        ? []
        : [`- whatever says "${cutEnd(oneLine(search), shownLength)}"`]),
      ...shown,
      ...(texts.length > shown.length ? [`and ${texts.length - shown.length} more`] : []),
    ].join('\n'),
    command: [
      'memory',
      'forget',
      ...ids,
      ...(search === undefined ? [] : ['--search', search]),
      ...(subject === undefined ? [] : ['--subject', subject]),
    ],
  }
}
