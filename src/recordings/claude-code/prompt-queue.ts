import type { JsonObject } from '../../core/words/json.ts'
import { textOf } from '../json-fields.ts'

/**
 * Prompts that the user typed while the agent worked. Claude Code before 2.1.1xx records a queued prompt that it gave to
 * the model in the middle of a turn only as `queue-operation` lines: `enqueue` with its text, then `remove`. Later
 * versions write an `attachment` of type `queued_command` as well; each prompt is told once.
 */
export class PromptQueue {
  readonly #waiting: string[] = []
  readonly #told = new Map<string, number>()

  /** Takes a `queue-operation` line; gives the prompt when the model is shown it now. */
  take(line: JsonObject): string | undefined {
    const content = textOf(line.content)
    switch (line.operation) {
      case 'enqueue':
        this.#waiting.push(content ?? '')
        return undefined
      case 'remove':
        return this.#given(this.#removed(content))
      case 'dequeue':
        // It becomes a prompt of its own, with a line of its own.
        this.#removed(content)
        return undefined
      case 'popAll':
        this.#waiting.length = 0
        return undefined
      default:
        return undefined
    }
  }

  /** True when the prompt of an attachment was not told by `take` before. */
  isNew(prompt: string): boolean {
    const told = this.#told.get(prompt) ?? 0
    this.#told.set(prompt, told - 1)
    return told <= 0
  }

  #removed(content: string | undefined): string | undefined {
    const index = content === undefined ? 0 : this.#waiting.indexOf(content)
    return this.#waiting.splice(Math.max(index, 0), 1)[0]
  }

  #given(prompt: string | undefined): string | undefined {
    // Commands and notices of background tasks take their own way into the conversation.
    if (!prompt || prompt.startsWith('/') || prompt.startsWith('{"task_id"')) return undefined
    const told = this.#told.get(prompt) ?? 0
    this.#told.set(prompt, told + 1)
    return told < 0 ? undefined : prompt
  }
}
