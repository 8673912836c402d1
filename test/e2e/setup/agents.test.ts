import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestVersion } from '../../../scripts/agents.mjs'
import { bodyFormats } from '../../../src/formats/index.ts'
import { restoreWords } from '../../../src/gateway/restore-hint.ts'
import type { LoggedRequest } from '../../model/server.ts'
import { claudeCode } from '../claude-code.ts'
import { cline } from '../cline.ts'
import { codex } from '../codex.ts'
import { continueCli } from '../continue.ts'
import { copilotCli } from '../copilot-cli.ts'
import { geminiCli } from '../gemini-cli.ts'
import { describeClient } from '../installed-client.ts'
import { openCode } from '../opencode.ts'
import { pi } from '../pi.ts'
import { qwenCode } from '../qwen-code.ts'
import { agentRow } from './agent-row.ts'
import type { SetupResult } from './setup-plan.ts'
import { closing, goThroughSetup, type SetUpClient, type SetupSession } from './setup-session.ts'

/** Whether the model could call our tool: it was defined, or listed for the agent's tool search. */
function isOffered(requests: readonly LoggedRequest[]): boolean {
  return requests.some(({ api, body }) => {
    if (api === null) return false
    const read = bodyFormats[api].read(body)
    const isKnown = restoreWords(read, api, { command: null, isLocal: false }) !== null
    // Qwen Code lists it in the text of its search tool's reminder, with its server's instructions.
    return isKnown || (/tool_search/.test(body) && /mcp__palimpsest__context_restore/.test(body))
  })
}

const clients: readonly SetUpClient[] = [
  {
    id: 'claude',
    client: claudeCode(newestVersion('claude-code')),
    files: (home) => [
      {
        path: `${home}/.claude/settings.json`,
        text: '{\n\t"theme": "dark",\n\t"env": { "MY_OWN": "1" }\n}\n',
      },
    ],
  },
  {
    id: 'codex',
    client: codex(newestVersion('codex')),
    files: (home, [config]) => [
      {
        path: `${home}/.codex/config.toml`,
        text: `# my Codex\n${config!.text.replace('{url}/v1"', '{url}/v1" # the company’s')}`,
      },
    ],
  },
  {
    id: 'opencode',
    client: openCode(newestVersion('opencode'), 'anthropic'),
    files: (home, [config]) => [
      {
        path: `${home}/.config/opencode/opencode.jsonc`,
        text: `// my OpenCode\n${JSON.stringify(JSON.parse(config!.text), null, 4)}\n`,
      },
    ],
  },
  { id: 'pi', client: pi(newestVersion('pi'), 'anthropic') },
  {
    id: 'gemini',
    rewritesSettings: true,
    client: geminiCli(newestVersion('gemini-cli')),
    inFile: { path: '.gemini/.env', names: ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL'] },
  },
  {
    id: 'copilot',
    client: copilotCli(newestVersion('copilot-cli'), 'openai-chat'),
    inFile: { path: '.bashrc', names: ['COPILOT_PROVIDER_BASE_URL', 'COPILOT_PROVIDER_API_KEY'] },
  },
  {
    id: 'qwen',
    rewritesSettings: true,
    client: qwenCode(newestVersion('qwen-code'), 'openai-chat'),
    inFile: { path: '.qwen/.env', names: ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_MODEL'] },
  },
  {
    id: 'cline',
    client: cline(newestVersion('cline')),
    stamps: /"updatedAt": "[^"]*"|\n$/g,
  },
  { id: 'cn', client: continueCli(newestVersion('continue')) },
]

/** Files that agents write by themselves, whoever set them up. */
const state =
  /^\.claude\.json$|^\.claude\/(?!settings)|^\.gemini\/(?!settings|\.env)|^\.qwen\/(?!settings|\.env)|^\.copilot\/(?!mcp-config)|^\.codex\/(?!config)|^\.pi\/agent\/(?!models\.json)|^\.cline\/(?!data\/settings\/(?:providers|cline_mcp))|^\.continue\/(?!config\.yaml)|^\.local\/|^\.config\/palimpsest\/|backups?\//

for (const each of clients) {
  describeClient(each.client, `${each.client.name} is tried, kept, checked and left`, (command) => {
    let session: SetupSession
    const step = (name: string): SetupResult => session.results.get(name)!
    const picture = (name: string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        Object.entries(step(name).picture ?? {})
          .filter(([file]) => !state.test(file))
          .map(([file, text]) => [file, each.stamps ? text.replace(each.stamps, '') : text]),
      )

    beforeAll(async () => {
      session = await goThroughSetup(each, command)
      if (process.env.SHOW_STEPS)
        for (const [, { picture: _, ...result }] of session.results) console.log(result)
    }, 400_000)
    afterAll(() => session?.remove())

    it('runs through a gateway of its own, and says what that saved', () => {
      const { code, out, errors } = step('run')
      expect({ code, errors }).toMatchObject({ code: 0 })
      expect(out).toContain(closing)
      expect(errors.trim().split('\n').at(-1)).toMatch(
        /^saved (?:\$[\d.]+|[\d.]+k?) of .* \([\d.]+ %\), \d+ items? shortened, nothing lost; palimpsest show \S{6,}$/,
      )
      // Some clients bring their settings into the newest form when they start.
      if (each.rewritesSettings !== true) expect(picture('run')).toEqual(picture('before'))
      expect(JSON.stringify(picture('run'))).not.toMatch(/palimpsest|127\.0\.0\.1:8787/)
    })

    it('shows the change before it makes it, and makes it once', () => {
      expect(step('dry-run').code).toBe(0)
      expect(step('dry-run').out).toContain('127.0.0.1:8787')
      expect(step('init')).toMatchObject({ code: 0 })
      expect(picture('init')).not.toEqual(picture('run'))
      expect(JSON.parse(step('again').out)).toMatchObject({ agents: [], files: [] })
    })

    it('writes what the table says, and nothing else', () => {
      const { init } = agentRow(each.id)
      const [before, after] = [picture('run'), picture('init')]
      const changed = Object.keys(after).filter(
        (file) => after[file] !== before[file] && !file.startsWith('.config/systemd/'),
      )
      expect(Object.keys(init)).toEqual(expect.arrayContaining(changed))
      for (const [file, words] of Object.entries(init)) {
        expect(step('init').picture?.[file]).toMatch(/palimpsest|127\.0\.0\.1:8787/)
        for (const word of words) expect(step('init').picture?.[file]).toContain(word)
      }
    })

    it('offers our tools to the model where the agent takes them, by run and as it is set up', () => {
      const { tools } = agentRow(each.id)
      const sessions = [[0, 'run'] as const, [step('again').requests, 'session'] as const]
      for (const [from, name] of tools === 'run' ? sessions.slice(0, 1) : sessions)
        expect({
          name,
          tools: isOffered(session.requests.slice(from, step(name).requests)),
        }).toEqual({
          name,
          tools: tools !== false && !(isIgnored(each.id) && name === 'run'),
        })
    })

    it('goes through the gateway as it is set up, with our tools, and doctor sees it', () => {
      const { code, out, requests } = step('session')
      expect({ code, out, errors: step('session').errors }).toMatchObject({ code: 0 })
      expect(out).toContain(closing)
      expect(requests).toBeGreaterThan(step('run').requests)
      const doctor = JSON.parse(step('doctor').out) as {
        ok: boolean
        agents: readonly { id: string; lastSeen: number | null; isSetUp: boolean }[]
        findings: readonly { level: string }[]
      }
      expect(doctor.findings.filter(({ level }) => level === 'error')).toEqual([])
      expect(doctor.agents.find(({ id }) => id === each.id)).toMatchObject({
        isSetUp: true,
        lastSeen: expect.any(Number) as number,
      })
    })

    it('is as before when it was undone, to the byte', () => {
      expect(step('undo')).toMatchObject({ code: 0 })
      expect(picture('undo')).toEqual(picture('run'))
      const all = JSON.stringify(
        Object.entries(step('undo').picture ?? {}).filter(
          ([file]) => !/^\.config\/palimpsest|^\.local/.test(file),
        ),
      )
      expect(all).not.toContain('127.0.0.1:8787')
      expect(all).not.toMatch(/"palimpsest\\?":/)
    })
  })
}

/** Gemini CLI ignores settings of the system below the folder for temporary files, where a checkout may be. */
function isIgnored(agent: string): boolean {
  return agent.startsWith('gemini') && import.meta.dirname.startsWith(`${tmpdir()}/`)
}
