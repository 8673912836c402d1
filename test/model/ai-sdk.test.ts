import { createAnthropic } from '@ai-sdk/anthropic'
import { generateText, stepCountIs, streamText } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { readTool } from './read-tool.ts'
import type { Scenario } from './scenario.ts'
import { type RunningModel, startModel } from './server.ts'

let model: RunningModel | undefined
afterEach(async () => {
  await model?.stop()
})

const scenario: Scenario = {
  turns: [
    ...['a.ts', 'b.ts', 'c.ts', 'd.ts'].map((path) => ({
      reasoning: `Look at ${path}.`,
      operations: [{ kind: 'read' as const, path }],
    })),
    { text: 'Four files.' },
  ],
}

function loopOver(running: RunningModel): Parameters<typeof generateText>[0] {
  const provider = createAnthropic({ baseURL: `${running.url}/v1`, apiKey: 'none' })
  return {
    model: provider('claude-sonnet-4-5'),
    system: 'Be brief.',
    prompt: 'What is here?',
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2_000 } } },
    stopWhen: stepCountIs(8),
    maxRetries: 0,
    tools: {
      read: readTool(),
    },
  }
}

describe('the AI SDK', () => {
  it('walks a loop of five steps with signed thinking', async () => {
    model = await startModel({ scenario })
    const result = await generateText(loopOver(model))
    expect(result.text).toBe('Four files.')
    expect(result.steps.flatMap((step) => step.toolResults.map(({ output }) => output))).toEqual([
      'text of a.ts',
      'text of b.ts',
      'text of c.ts',
      'text of d.ts',
    ])
    expect(model.requests.map(({ kind, turn, status }) => [kind, turn, status])).toEqual(
      [0, 1, 2, 3, 4].map((turn) => ['turn', turn, 200]),
    )
  })

  it('walks the same loop streamed', async () => {
    model = await startModel({ scenario })
    const result = streamText(loopOver(model))
    expect(await result.text).toBe('Four files.')
    expect((await result.steps).length).toBe(5)
  })
})
