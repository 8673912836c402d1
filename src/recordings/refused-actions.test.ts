import { createReadStream, existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRecording } from './read-recording.ts'

const corpus = path.resolve(import.meta.dirname, '../../../shared/corpus')

/** Files in which the manifest counts no errors, although the agent says that it refused these actions. */
const refused: readonly (readonly [string, number])[] = [
  ['codex/agentv-019f03e0-321f-7eb2-83cc-b54ecd71be23.jsonl', 1],
  ['mini-swe-agent/mini-gemini3pro-django__django-11138.traj.json', 15],
  ['mini-swe-agent/mini-gemini3pro-sphinx-doc__sphinx-9229.traj.json', 10],
  ['mini-swe-agent/mini-gemini3pro-sphinx-doc__sphinx-9258.traj.json', 10],
  ['mini-swe-agent/mini-gemini3pro-sympy__sympy-13091.traj.json', 5],
  ['mini-swe-agent/mini-gemini3pro-sympy__sympy-14248.traj.json', 3],
  ['mini-swe-agent/mini-gemini3pro-sympy__sympy-19040.traj.json', 10],
  [
    'swe-agent/swea-demonstrations-replay__marshmallow-code__marshmallow-1867__function_calling__install-1-marshmallow-code__.traj',
    1,
  ],
]

const words =
  /^(apply_patch verification failed|Please always provide EXACTLY ONE action|Your proposed edit has introduced new syntax error)/

describe.skipIf(!existsSync(corpus))('actions that an agent refused in words', () => {
  it.each(refused)('are the errors of %s', async (file, errors) => {
    const { recordings } = await readRecording(createReadStream(path.join(corpus, file)))
    const failed = recordings
      .flatMap((recording) => recording.events)
      .flatMap((event) => (event.kind === 'message' ? event.message.items : []))
      .filter((item) => item.kind === 'result' && item.status === 'error')
    expect(failed.length).toBe(errors)
    expect(failed.filter((item) => !words.test(item.text))).toEqual([])
  })
})
