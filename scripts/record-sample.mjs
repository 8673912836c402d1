// Records examples/sample-session.json: the real OpenCode works on examples/sample-repo against the scripted model.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { agentCommand, installAgents, newestVersion, ripgrepFolder } from './agents.mjs'

const version = newestVersion('opencode')
const agent = `opencode-${version}`
const root = fileURLToPath(new URL('..', import.meta.url))
const report = (line) => process.stderr.write(`${line}\n`)

// OpenCode's searches need the `rg` that comes with Codex.
await installAgents({ only: [agent, `codex-${newestVersion('codex')}`], report })

const folder = join(root, '.cache', 'e2e')
const file = join(folder, `sample-${process.pid}.mjs`)
await mkdir(folder, { recursive: true })
await build({
  input: join(root, 'test', 'e2e', 'sample.ts'),
  external: ['rolldown'],
  platform: 'node',
  logLevel: 'silent',
  output: { file, format: 'esm' },
})
try {
  const { recordSample } = await import(pathToFileURL(file).href)
  const exported = await recordSample({
    version,
    command: agentCommand(agent),
    repository: join(root, 'examples', 'sample-repo'),
    programs: [ripgrepFolder()],
  })
  const session = JSON.parse(exported)
  const calls = session.messages.flatMap((message) =>
    message.parts.filter((part) => part.type === 'tool'),
  )
  const target = join(root, 'examples', 'sample-session.json')
  await writeFile(target, `${JSON.stringify(session, null, 1)}\n`)
  report(`${session.messages.length} messages, ${calls.length} tool calls: ${target}`)
} finally {
  await rm(file, { force: true })
}
