import { isJsonObject, type JsonObject } from '../core/words/json.ts'
import type { Recording, RecordingBuilder, RecordingProblem } from './recording.ts'

/** A builder for files in which every JSON value is an object. It reports any other value as a problem. */
export abstract class ObjectBuilder implements RecordingBuilder {
  protected readonly problem: (problem: RecordingProblem) => void

  constructor(problem: (problem: RecordingProblem) => void) {
    this.problem = problem
  }

  add(value: unknown, line: number): void {
    if (isJsonObject(value)) this.addObject(value, line)
    else this.problem({ line, message: 'expected a JSON object' })
  }

  abstract end(): readonly Recording[]

  protected abstract addObject(value: JsonObject, line: number): void
}
