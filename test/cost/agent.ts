import type { Part, Said } from './conversation.ts'

/** One tool call of the agent; numbers choose among what there is. */
export type Deed =
  | { readonly do: 'read' | 'edit'; readonly file: number }
  /** A command that prints this many lines. */
  | { readonly do: 'run'; readonly lines: number; readonly fails?: boolean }
  | { readonly do: 'search'; readonly word: number }

const linesOfFile = [30, 90, 220, 500]

interface File {
  readonly path: string
  readonly lines: string[]
}

/** An agent's conversation over a few files that it reads and edits. The same deeds give the same texts. */
export class AgentConversation {
  said: Said[] = []
  readonly #files: readonly File[]
  readonly #word: string
  #calls = 0

  constructor(word = 'alpha') {
    this.#word = word
    this.#files = linesOfFile.map((count, index) => ({
      path: `/project/${word}/src/part-${index}.ts`,
      lines: Array.from({ length: count }, (_, line) => codeLine(word, index, line)),
    }))
  }

  prompt(text: string): void {
    this.said.push({ role: 'user', parts: [{ kind: 'text', text }] })
  }

  /** The model calls tools, all at once, and the agent adds their results. */
  act(deeds: readonly Deed[]): void {
    const done = deeds.map((deed) => this.#perform(deed))
    this.#say(done)
  }

  /** The model answers in prose. */
  answer(text: string): void {
    this.said.push({ role: 'assistant', parts: [{ kind: 'text', text }] })
  }

  /** The model brings originals back by their handles. */
  restore(originals: readonly { readonly handle: string; readonly text: string }[]): void {
    const done = originals.map(({ handle, text }) => ({
      tool: 'context_restore',
      input: { handle },
      result: text,
    }))
    this.#say(done, { isRestore: true })
  }

  /** The user goes back to before the last `turns` answers. */
  rewind(turns: number): void {
    const answers = this.said.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
    const from = answers.at(-turns)
    if (from !== undefined) this.said = this.said.slice(0, from)
    this.prompt(`Try it another way (${this.#calls}).`)
  }

  /** A summary stands in place of all but the last messages. */
  compact(kept: number): void {
    let from = Math.max(0, this.said.length - kept)
    while (from < this.said.length && !isPrompt(this.said[from])) from++
    const rest = this.said.slice(from)
    this.said = []
    this.prompt(`So far, ${this.#calls} calls were made and the tests were repaired.`)
    this.answer('Understood.')
    if (rest.length === 0) this.prompt('Go on.')
    this.said.push(...rest)
  }

  #say(
    done: readonly { readonly tool: string; readonly input: object; readonly result: string }[],
    extra: { readonly isRestore?: boolean } = {},
  ): void {
    const calls: Part[] = []
    const results: Part[] = []
    for (const { tool, input, result } of done) {
      const id = `toolu_${this.#word}_${this.#calls++}`
      calls.push({ kind: 'call', id, tool, input })
      results.push({ kind: 'result', id, text: result })
    }
    this.said.push({ role: 'assistant', parts: calls, ...extra })
    this.said.push({ role: 'user', parts: results, ...extra })
  }

  #perform(deed: Deed): { tool: string; input: object; result: string } {
    switch (deed.do) {
      case 'read': {
        const { path, lines } = this.#file(deed.file)
        const result = lines.map((line, index) => `${index + 1}\t${line}`).join('\n')
        return { tool: 'Read', input: { file_path: path }, result }
      }
      case 'edit': {
        const { path, lines } = this.#file(deed.file)
        const at = (this.#calls * 7) % lines.length
        const before = lines[at] as string
        const after = `const changed${this.#calls} = repair(${this.#calls * 31})`
        lines[at] = after
        const input = { file_path: path, old_string: before, new_string: after }
        return { tool: 'Edit', input, result: `The file ${path} has been updated.` }
      }
      case 'run': {
        const result = Array.from({ length: deed.lines }, (_, line) =>
          line % 97 === 96 && deed.fails === true
            ? `not ok ${line} - ${this.#word} case ${line} expected ${line * 3} but got ${line}`
            : `ok ${line} - ${this.#word} run ${this.#calls} case ${line} passes in ${line % 13} ms`,
        ).join('\n')
        return { tool: 'Bash', input: { command: `npm test -- ${this.#calls}` }, result }
      }
      case 'search': {
        const result = this.#files
          .flatMap(({ path, lines }) =>
            lines.flatMap((line, index) =>
              index % 11 === deed.word % 11 ? [`${path}:${index + 1}:${line}`] : [],
            ),
          )
          .join('\n')
        const input = { pattern: `value${deed.word}`, output_mode: 'content' }
        return { tool: 'Grep', input, result }
      }
    }
  }

  #file(index: number): File {
    return this.#files[index % this.#files.length] as File
  }
}

function isPrompt(said: Said | undefined): boolean {
  return said?.role === 'user' && said.parts.every(({ kind }) => kind === 'text')
}

function codeLine(word: string, file: number, line: number): string {
  return line % 6 === 5
    ? ''
    : `  const ${word}${file}_${line} = compute(${line * 7919}, 'line ${line}')`
}
