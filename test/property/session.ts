import { clearedByAgent } from '../../src/core/render/marks.ts'
import type { ItemDraft, MessageDraft, ResultDraft } from '../../src/core/words/item.ts'
import { agents } from './agents.ts'
import { filler, type Performed, perform } from './perform.ts'
import type { Before, SessionScript, TurnScript, UserScript } from './script.ts'
import { createWorld, type World, type WorldSnapshot } from './world.ts'

/** A call to the model as the client sends it: the whole history, and what the files truly say. */
export interface PlayedRequest {
  readonly messages: readonly MessageDraft[]
  /** After the results of each turn of this history, from turn 1 at index 0. */
  readonly truthAfter: readonly WorldSnapshot[]
  /** True while nothing in this history can be trusted about the files. */
  readonly obscured: boolean
}

export interface RandomSession {
  readonly script: SessionScript
  readonly requests: readonly PlayedRequest[]
  /** The file that each call reads or changes. */
  readonly pathOfCall: ReadonlyMap<string, string>
}

interface Said {
  readonly message: MessageDraft
  /** What the files said after it. */
  readonly truth: WorldSnapshot
  readonly obscured: boolean
}

/** Plays a script: the same script gives the same session. */
export function playSession(script: SessionScript): RandomSession {
  const player = new Player(script)
  for (const turn of script.turns) player.play(turn)
  player.send()
  return { script, requests: player.requests, pathOfCall: player.pathOfCall }
}

class Player {
  readonly requests: PlayedRequest[] = []
  readonly pathOfCall = new Map<string, string>()
  readonly #script: SessionScript
  readonly #world: World
  #said: Said[] = []
  #calls = 0
  #words = 0
  #last: Performed | null = null
  #obscured = false

  constructor(script: SessionScript) {
    this.#script = script
    this.#world = createWorld(script.files)
    this.#say({ role: 'user', items: [{ kind: 'text', text: 'Make the list sort by name.' }] })
  }

  play(turn: TurnScript): void {
    this.#prepare(turn.before)
    if (turn.user !== null) this.#say({ role: 'user', items: userItems(turn.user, this.#words++) })
    this.send()
    const performed = turn.deeds.map(({ deed, fails, image }) => {
      const agent = agents[this.#script.agent]
      const again = deed.do === 'again' ? this.#last : null
      const done = again ?? perform(deed, fails, agent, this.#world)
      if (done.obscures) this.#obscured = true
      // Only what changes nothing can be done again with the same words and the same result.
      this.#last = done.path === null ? done : this.#last
      this.#calls++
      const call = `call-${this.#calls}`
      if (done.path !== null) this.pathOfCall.set(call, done.path)
      return { ...done, call, image }
    })
    this.#say({ role: 'assistant', items: answerItems(turn, performed, this.#words++) })
    this.#answer(turn, performed)
  }

  send(): void {
    const messages = this.#said.map(({ message }) => message)
    const truthAfter: WorldSnapshot[] = []
    let turns = 0
    for (const { message, truth } of this.#said) {
      if (message.role === 'assistant') turns++
      if (turns > 0) truthAfter[turns - 1] = truth
    }
    this.requests.push({ messages, truthAfter, obscured: this.#obscured })
  }

  #say(message: MessageDraft): void {
    this.#said.push({ message, truth: this.#world.snapshot(), obscured: this.#obscured })
  }

  /** Results come in one message; the last call may have none yet, and get it in a later request. */
  #answer(turn: TurnScript, performed: readonly (Performed & CallExtras)[]): void {
    if (performed.length === 0) return
    const whole = performed.flatMap((done) => resultItems(done))
    if (turn.ending === 'complete') {
      this.#say({ role: 'tool', items: whole })
      return
    }
    const open = performed.at(-1) as Performed & CallExtras
    const others = performed.slice(0, -1).flatMap((done) => resultItems(done))
    if (turn.ending === 'missing') {
      if (others.length > 0) this.#say({ role: 'tool', items: others })
      // A call without an answer may or may not have done its work.
      if (open.path !== null) this.#obscured = true
      return
    }
    const running: ItemDraft = { ...resultOf(open), status: 'running', text: 'still running' }
    this.#say({ role: 'tool', items: [...others, running] })
    this.send()
    this.#said.pop()
    this.#say({ role: 'tool', items: whole })
  }

  #prepare(before: Before): void {
    const { length } = this.#said
    switch (before.kind) {
      case 'goes-on':
        return
      case 'interrupted':
        this.send()
        this.#say({ role: 'user', items: [{ kind: 'text', text: `Wait. ${this.#words++}` }] })
        return
      case 'outside': {
        const path = this.#world.paths[before.file % this.#world.paths.length] as string
        this.#world.put(path, this.#world.fresh(4))
        this.#obscured = true
        return
      }
      case 'forked':
        this.#said = this.#said.slice(0, 1 + (before.back % length))
        this.#restore()
        return
      case 'edited':
        this.#change(before.back, (item) =>
          item.kind === 'text' ? { ...item, text: `${item.text} (said otherwise)` } : item,
        )
        return
      case 'cleared':
        for (let back = 2; back < 3 + before.back; back++) {
          this.#change(back, (item) =>
            item.kind === 'result' && item.text.length > clearedByAgent.length
              ? { ...item, text: clearedByAgent }
              : item,
          )
        }
        return
      case 'compacted':
        this.#compact(before.back)
    }
  }

  /** The newest messages stay behind a summary, from one on that answers no call. */
  #compact(back: number): void {
    let from = Math.max(0, this.#said.length - 1 - (back % 6))
    while (this.#said[from]?.message.role === 'tool') from++
    const kept = this.#said.slice(from)
    this.#said = []
    this.#say({ role: 'user', items: [{ kind: 'text', text: `So far: ${filler(this.#words++)}` }] })
    this.#said.push(...kept)
  }

  #change(back: number, change: (item: ItemDraft) => ItemDraft): void {
    const at = this.#said.length - 1 - back
    const said = this.#said[at]
    if (said === undefined) return
    const message = { ...said.message, items: said.message.items.map(change) }
    this.#said[at] = { ...said, message }
  }

  #restore(): void {
    const last = this.#said.at(-1)
    if (last === undefined) return
    this.#world.restore(last.truth)
    this.#obscured = last.obscured
    this.#last = null
  }
}

interface CallExtras {
  readonly call: string
  readonly image: boolean
}

function resultOf({ tool, call, status, result }: Performed & CallExtras): ResultDraft {
  // Results of some tools are the provider's own.
  const owned = tool.startsWith('mcp__') && result.length % 4 === 0 ? { opaque: true as const } : {}
  return { kind: 'result', tool, call, status, text: result, ...owned }
}

const image = (call?: string): ItemDraft => ({
  kind: 'attachment',
  media: 'image/png',
  text: `image/png ${'x'.repeat(200)}`,
  ...(call === undefined ? {} : { call }),
})

function resultItems(done: Performed & CallExtras): readonly ItemDraft[] {
  return done.image ? [resultOf(done), image(done.call)] : [resultOf(done)]
}

function answerItems(
  turn: TurnScript,
  performed: readonly (Performed & CallExtras)[],
  word: number,
): readonly ItemDraft[] {
  const { reasoning, markers, prose } = turn
  const items: ItemDraft[] = []
  if (markers) items.push({ kind: 'marker', marker: 'step-start', text: 'step-start' })
  if (reasoning === 'opaque') {
    items.push({ kind: 'reasoning', binding: 'opaque', text: `c2VhbGVk${word}` })
  } else if (reasoning !== 'none') {
    items.push({
      kind: 'reasoning',
      binding: reasoning,
      text: `I think ${filler(word % 9)}${word}`,
    })
  }
  if (prose || performed.length === 0) items.push({ kind: 'text', text: `Next ${word}.` })
  for (const { tool, call, input } of performed) {
    items.push({ kind: 'call', tool, call, text: input })
  }
  if (markers) items.push({ kind: 'marker', marker: 'snapshot', text: `tree ${word}` })
  return items
}

function userItems(user: UserScript, word: number): readonly ItemDraft[] {
  switch (user.say) {
    case 'prose':
      return [{ kind: 'text', text: `Please ${filler(user.size)}(${word})` }]
    case 'code': {
      const fence = user.tilde ? '~~~' : '```'
      const code = Array.from({ length: user.size }, (_, n) => `const pasted${n} = ${word}`)
      const text = `Look at this (${word}):\n${fence}ts\n${code.join('\n')}\n${fence}\nIt fails.`
      return [{ kind: 'text', text }]
    }
    case 'image':
      return [{ kind: 'text', text: `As drawn here (${word}).` }, image()]
  }
}
