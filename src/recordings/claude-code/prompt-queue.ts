import type { JsonObject } from '../../core/words/json.ts'
import { textOf } from '../json-fields.ts'

/**
 * Prompts that the user typed while the agent worked. Claude Code before 2.1.1xx records a queued prompt that it sent in
 * the middle of a turn only as `queue-operation` lines: `enqueue` with its text, then `remove`. Later versions also write
 * an `attachment` of type `queued_command`, so this class makes sure that each prompt appears once.
 */
export class PromptQueue {
  readonly #waiting: string[] = []
  /** Sends seen as `remove` minus sends seen as attachments, by prompt. */
  readonly #sentBalance = new Map<string, number>()

  /** Processes a `queue-operation` line. Returns the prompt if it was sent to the model now. */
  take(line: JsonObject): string | undefined {
    const content = textOf(line.content)
    switch (line.operation) {
      case 'enqueue':
        this.#waiting.push(content ?? '')
        return undefined
      case 'remove':
        return this.#send(this.#remove(content))
      case 'dequeue':
        // The prompt is recorded again, as a user line.
        this.#remove(content)
        return undefined
      case 'popAll':
        this.#waiting.length = 0
        return undefined
      default:
        return undefined
    }
  }

  /** True if `take` has not returned this attachment's prompt before. */
  isNew(prompt: string): boolean {
    const balance = this.#sentBalance.get(prompt) ?? 0
    this.#sentBalance.set(prompt, balance - 1)
    return balance <= 0
  }

  #remove(content: string | undefined): string | undefined {
    const index = content === undefined ? 0 : this.#waiting.indexOf(content)
    return this.#waiting.splice(Math.max(index, 0), 1)[0]
  }

  #send(prompt: string | undefined): string | undefined {
    // Commands and notices of background tasks are recorded on lines of their own.
    if (!prompt || prompt.startsWith('/') || prompt.startsWith('{"task_id"')) return undefined
    const balance = this.#sentBalance.get(prompt) ?? 0
    this.#sentBalance.set(prompt, balance + 1)
    return balance < 0 ? undefined : prompt
  }
}
