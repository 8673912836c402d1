import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arrayOf, type JsonObject, objectOf } from '../../src/core/words/json.ts'
import { asString } from '../model/json.ts'
import { projectRoot } from '../model/project-root.ts'
import { normaliseExport } from './normalise-export.ts'
import { sampleTurns } from './sample-scenario.ts'

const text = readFileSync(join(projectRoot, 'examples', 'sample-session.json'), 'utf8')
const calls = arrayOf(objectOf(JSON.parse(text)).messages)
  .flatMap((message) => arrayOf(objectOf(message).parts))
  .map(objectOf)
  .filter((part) => part.type === 'tool')

function stateOf(call: JsonObject): JsonObject {
  return objectOf(call.state)
}

describe('the sample session', () => {
  it('holds every call of the scenario that it was recorded from', () => {
    const planned = sampleTurns.flatMap((turn) => turn.operations ?? []).map(({ kind }) => kind)
    const names = calls.map((call) => asString(call.tool).replace('todowrite', 'todo'))
    expect(names).toEqual(planned)
    expect(names.length).toBeGreaterThanOrEqual(45)
  })

  it('holds failures, long output, and a list that was written several times', () => {
    const failed = calls.filter((call) => stateOf(call).status === 'error')
    expect(failed.map((call) => call.tool)).toEqual(['edit', 'edit'])
    const exits = calls.map((call) => objectOf(stateOf(call).metadata).exit)
    expect(exits.filter((code) => typeof code === 'number' && code > 0).length).toBeGreaterThan(4)
    const lengths = calls.map((call) => asString(stateOf(call).output).length)
    expect(Math.max(...lengths)).toBeGreaterThan(10_000)
    expect(calls.filter((call) => call.tool === 'todowrite').length).toBeGreaterThan(4)
  })

  it('says nothing about the machine that recorded it', () => {
    const places = new Set(text.match(/\/(?:home|root|work|tmp|Users|var)\/[\w.-]+/g))
    expect([...places]).toEqual(['/home/dev'])
  })

  it('is normal already', () => {
    expect(JSON.parse(normaliseExport(text))).toEqual(JSON.parse(text))
  })
})
