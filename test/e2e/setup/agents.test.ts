import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestVersion } from '../../../scripts/agents.mjs'
import { claudeCode } from '../claude-code.ts'
import { codex } from '../codex.ts'
import { copilotCli } from '../copilot-cli.ts'
import { geminiCli } from '../gemini-cli.ts'
import { describeClient } from '../installed-client.ts'
import { openCode } from '../opencode.ts'
import { pi } from '../pi.ts'
import { qwenCode } from '../qwen-code.ts'
import type { SetupResult } from './setup-plan.ts'
import { closing, goThroughSetup, type SetUpClient, type SetupSession } from './setup-session.ts'

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
]

/** Files that agents write by themselves, whoever set them up. */
const state =
  /^\.claude\.json$|^\.claude\/(?!settings)|^\.gemini\/(?!settings|\.env)|^\.qwen\/(?!settings|\.env)|^\.copilot\/(?!mcp-config)|^\.codex\/(?!config)|^\.pi\/agent\/(?!models\.json)|^\.local\/|^\.config\/palimpsest\/|backups?\//

for (const each of clients) {
  describeClient(each.client, `${each.client.name} is tried, kept, checked and left`, (command) => {
    let session: SetupSession
    const step = (name: string): SetupResult => session.results.get(name)!
    const picture = (name: string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        Object.entries(step(name).picture ?? {}).filter(([file]) => !state.test(file)),
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
