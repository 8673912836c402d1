import { existsSync } from 'node:fs'
import path from 'node:path'
import { findFiles, openRecording } from '../src/cli/recording-files.ts'
import { createEngineMaker } from '../src/config/engine-maker.ts'
import type { MessageDraft } from '../src/core/words/item.ts'
import { anthropic } from '../src/formats/anthropic/index.ts'
import type { BenchRow } from './bench-row.ts'
import { bodyOf, medians, timed } from './engine.ts'

const corpus = path.resolve('../shared/corpus')

/**
 * Resuming each recorded session, compared with `JSON.parse` of its body. Has no limit, because recorded program output
 * takes longer to analyse than repeated reads of files.
 */
export async function benchResumes({ quick }: { readonly quick: boolean }): Promise<BenchRow[]> {
  if (!existsSync(corpus)) return []
  const maker = createEngineMaker(
    { toolMappings: [], warnings: [] },
    { restore: { tool: 'context_restore' } },
  )
  const resumes: number[] = []
  const parses: number[] = []
  for (const { body, cwd } of await recordedBodies()) {
    const resume = (): unknown =>
      maker.make([], { cwd, model: null }).request(anthropic.read(body).messages)
    const measures = [() => timed(() => JSON.parse(body)), () => timed(resume)]
    const [parse = 0, whole = 0] = medians(quick ? 3 : 11, measures)
    parses.push(parse)
    resumes.push(whole)
  }
  const [parse, resume] = [sum(parses), sum(resumes)]
  return [
    {
      name: `engine: resuming ${resumes.length} recorded sessions, against JSON.parse`,
      ratio: resume / parse,
      limit: null,
      better: 'below',
      note: `${resume.toFixed(0)} ms against ${parse.toFixed(0)} ms`,
    },
  ]
}

async function recordedBodies(): Promise<readonly { body: string; cwd: string | null }[]> {
  const bodies: { body: string; cwd: string | null }[] = []
  for (const { file } of await findFiles(corpus)) {
    if (/\.(?:tsv|md)$/.test(file)) continue
    const { recordings } = await openRecording(file)
    for (const { events, cwd } of recordings) {
      const messages = events.flatMap((event): readonly MessageDraft[] =>
        event.kind === 'message' ? [event.message] : [],
      )
      bodies.push({ body: bodyOf(messages), cwd })
    }
  }
  return bodies
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
