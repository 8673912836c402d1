import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HostedConversation, hostedPlugin, saidIn } from '../../test/agent/hosted.ts'
import { lines } from '../../test/engine/told-session.ts'

let directory = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'palimpsest-options-'))
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

type Given = Readonly<Record<string, unknown>>

/** The keys stand beside the plugin's name, or in the project's file; they are to mean the same. */
const places: readonly (readonly [string, (keys: Given) => Given])[] = [
  ['opencode.json', (keys) => keys],
  [
    'palimpsest.jsonc',
    (keys) => {
      writeFileSync(join(directory, 'palimpsest.jsonc'), JSON.stringify(keys))
      return {}
    },
  ],
]

async function started(given: Given, id = 's1'): Promise<HostedConversation> {
  const { conversation } = await hostedPlugin({ directory, given, parents: { child: 's1' } })
  const session = conversation(id)
  session.say('Work on it.')
  return session
}

/** Old outputs, words and thoughts, all of them different. */
async function worked(given: Given): Promise<readonly string[]> {
  const session = await started(given)
  const requests: string[] = []
  for (let step = 0; step < 16; step++) {
    requests.push(saidIn(await session.request()).join('\n'))
    session.called('bash', { command: `make ${step}` }, lines(1, 30, `out${step}`))
    const { parts } = session.stored.at(-1)!
    const of = { sessionID: 's1', messageID: parts[0]!.messageID }
    const texts = [
      ['reasoning', `Thought ${step}: ${'perhaps '.repeat(60)}`],
      ['text', `Words ${step}: ${'and so on '.repeat(60)}`],
    ]
    for (const [type, text] of texts) parts.push({ ...of, id: `prt_${type}_${step}`, type, text })
  }
  for (let last = 0; last < 2; last++) {
    requests.push(saidIn(await session.request()).join('\n'))
    session.answered('So far.')
  }
  return requests
}

const limits = { historicalTokens: 1e9, aggressiveTokens: 1e9, thinkingTokens: 1e9 }

describe.each(places)('the options in %s', (_place, put) => {
  it('subAgents leaves conversations alone that another one started', async () => {
    const seen = async (given: Given): Promise<boolean> => {
      const child = await started(given, 'child')
      for (let step = 0; step < 3; step++) {
        await child.request()
        child.called('read', { filePath: '/project/f.ts' }, lines(1, 40, 'f'))
      }
      return saidIn(await child.request()).join() === saidIn(child.stored).join()
    }
    expect(await seen(put({ subAgents: true }))).toBe(false)
    expect(await seen(put({ subAgents: false }))).toBe(true)
  })

  it('triggers act under acp, each on its own', async () => {
    const under = async (named: Given): Promise<readonly boolean[]> => {
      const triggers = { ...limits, ...named }
      const text =
        (await worked(put({ preset: 'acp', strategies: { pruneThinking: false }, triggers }))).at(
          -1,
        ) ?? ''
      return ['out0 7 of', 'Words 0: and', 'Thought 0: perhaps'].map((part) => text.includes(part))
    }
    expect(await under({})).toEqual([true, true, true])
    expect(await under({ historicalTokens: 500 })).toEqual([false, true, true])
    expect(await under({ aggressiveTokens: 500 })).toEqual([false, false, false])
    expect(await under({ thinkingTokens: 500 })).toEqual([true, true, false])
  })

  it('triggers advise elsewhere, at most every ten turns', async () => {
    const strategies = { retention: false, admission: false }
    const under = async (named: Given): Promise<readonly number[]> => {
      const triggers = { ...limits, ...named }
      const requests = await worked(put({ preset: 'verbose', strategies, triggers }))
      expect(requests.at(-1)).toContain('out0 7 of')
      return requests.flatMap((text, at) => (text.includes('<system-reminder>') ? [at + 1] : []))
    }
    expect(await under({})).toEqual([])
    expect(await under({ historicalTokens: 3000 })).toEqual([15])
    expect(await under({ aggressiveTokens: 500 })).toEqual([11])
    expect(await under({ thinkingTokens: 100 })).toEqual([3, 13])
  })
})

describe('the option store', () => {
  const kept = async (given: Given): Promise<readonly string[]> => {
    const { conversation, hooks, logs, toasts } = await hostedPlugin({ directory, given })
    conversation('s1').say('Work on it.')
    await conversation('s1').request()
    await hooks.dispose()
    return [...logs, ...toasts.map(({ message }) => message)]
  }

  it('in opencode.json names where decisions are kept', async () => {
    await kept({ store: 'here.db' })
    expect(existsSync(join(directory, 'here.db'))).toBe(true)
  })

  it('in a project’s palimpsest.jsonc is ignored, and the user is told how to allow it', async () => {
    const file = join(directory, 'palimpsest.jsonc')
    writeFileSync(file, JSON.stringify({ store: 'here.db', memory: { inject: true } }))
    const told = await kept({})
    expect(existsSync(join(directory, 'here.db'))).toBe(false)
    const line = `${file}: ignored memory.inject, store, which a project may not set by itself. To allow this, run: palimpsest trust ${directory}`
    expect(told).toEqual([`warn ${line}`, line])
  })
})

describe('the option config', () => {
  const put = (text: object): void => {
    mkdirSync(join(directory, '.opencode'), { recursive: true })
    writeFileSync(join(directory, '.opencode', 'acp.jsonc'), JSON.stringify(text))
  }

  it('takes the file of another plugin as it is, with its preset', async () => {
    put({ debug: true, tools: { todoReminder: { initialTurns: 5 } } })
    const shown = (await worked({ config: 'acp', triggers: { historicalTokens: 500 } })).at(-1)
    expect(shown).not.toContain('out0 7 of')
    put({ enabled: false })
    const { hooks } = await hostedPlugin({ directory, given: { config: 'acp' } })
    expect(hooks).toEqual({})
  })

  it('says when there is no such file, and does nothing', async () => {
    const { hooks, toasts } = await hostedPlugin({ directory, given: { config: 'dcp' } })
    expect(hooks).toEqual({})
    expect(toasts[0]?.message).toContain('there is no such configuration file')
  })
})
