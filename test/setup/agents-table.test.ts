import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { agents } from '../../src/setup/agents.ts'
import { createRerouting } from '../../src/setup/reroute.ts'
import { agentRow, agentRows } from '../e2e/setup/agent-row.ts'
import { projectRoot } from '../model/project-root.ts'

const home = mkdtempSync(path.join(tmpdir(), 'palimpsest table '))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const files = {
  '.codex/config.toml':
    'model_provider = "X"\n[model_providers.X]\nbase_url = "https://x.example/v1"\n',
  '.continue/config.yaml': 'models:\n  - name: one\n    provider: anthropic\n',
  '.cline/data/settings/providers.json':
    '{"providers":{"anthropic":{"settings":{"apiKey":"k"}}},"lastUsedProvider":"anthropic"}',
}
for (const [file, text] of Object.entries(files)) {
  mkdirSync(path.dirname(path.join(home, file)), { recursive: true })
  writeFileSync(path.join(home, file), text)
}
const env = { COPILOT_PROVIDER_BASE_URL: 'https://own.example/v1', ANTHROPIC_API_KEY: 'k' }
const url = 'http://127.0.0.1:8787'

describe('the table of agents', () => {
  it('has a row for every agent, and none else', () => {
    expect(agentRows.map(({ id }) => id)).toEqual(agents.map(({ id }) => id))
  })

  it('stands in the documentation as the tests have it', () => {
    const script = path.join(projectRoot, 'scripts/agents-table.mjs')
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], {
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it.each(agents.map((agent) => [agent.id, agent] as const))(
    'says how run points %s',
    (id, agent) => {
      const mcp = { url: `${url}/mcp`, headers: {} }
      const started = [home, path.join(home, 'empty')].map((place) => {
        const user = { home: place, cwd: place, env }
        return agent.run({ ...user, gateway: createRerouting(url), args: [], mcp, scratch: place })
      })
      const said = started
        .map(({ args, env: set }) => [...Object.keys(set), ...args].join(' '))
        .join(' ')
      for (const word of agentRow(id).run) expect(said).toContain(word)
    },
  )
})
