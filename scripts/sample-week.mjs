// Makes a store with a week of requests, for the pictures of the documentation: the sample session, sent through a real
// gateway as several agents would send it, to a provider on this machine that counts tokens and has a cache. The store is
// then written again with each session on its own day, because the gateway's clock cannot be set.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { inRoot } from './install.mjs'

const palimpsest = inRoot('dist/cli/main.js')
const sampleProject = '/home/dev/tally'
const dayMs = 86_400_000
const system = 'You are a coding agent. Working directory: '

/** How many days ago, by whom, with which model, in which project, and how many of the sample's requests. */
const sessions = [
  { ago: 6, agent: 'claude-code', model: 'claude-sonnet-4-5', project: 'tally', requests: 38 },
  { ago: 5, agent: 'codex', model: 'gpt-5', project: 'ledger-api', requests: 30 },
  { ago: 5, agent: 'claude-code', model: 'claude-opus-4-5', project: 'tally', requests: 24 },
  { ago: 4, agent: 'opencode', model: 'claude-sonnet-4-5', project: 'website', requests: 42 },
  { ago: 3, agent: 'claude-code', model: 'claude-opus-4-5', project: 'ledger-api', requests: 45 },
  { ago: 1, agent: 'codex', model: 'gpt-5', project: 'tally', requests: 44 },
  { ago: 1, agent: 'claude-code', model: 'claude-sonnet-4-5', project: 'website', requests: 33 },
  { ago: 0, agent: 'claude-code', model: 'claude-opus-4-5', project: 'tally', requests: 45 },
]

const userAgents = {
  'claude-code': 'claude-cli/2.1.0 (external, cli)',
  codex: 'codex_cli_rs/0.169.0',
  opencode: 'opencode/1.18.0',
}

/** The sample's messages as a list of steps: what the user said, and answers with their calls and results. */
function steps(project) {
  const text = readFileSync(inRoot('examples/sample-session.json'), 'utf8')
  const { messages } = JSON.parse(text.replaceAll(sampleProject, `/home/dev/${project}`))
  return messages.map(({ info, parts }) => ({
    role: info.role,
    texts: parts.filter(({ type }) => type === 'text').map((part) => part.text),
    calls: parts
      .filter(({ type }) => type === 'tool')
      .map(({ callID, tool, state }) => ({
        id: callID,
        name: tool,
        input: state.input,
        output: state.output ?? state.error ?? '',
      })),
  }))
}

const marked = (blocks) => [...blocks.slice(0, -1), { ...blocks.at(-1), cache_control: ephemeral }]
const ephemeral = { type: 'ephemeral' }

/** The bodies of an agent that speaks Anthropic's format, one for each request. */
function messagesBodies({ model, project, requests }) {
  const messages = []
  const bodies = []
  for (const { role, texts, calls } of steps(project)) {
    const said = texts.map((text) => ({ type: 'text', text }))
    if (role === 'user') {
      messages.push({ role, content: said })
      continue
    }
    const sent = messages.map((each, at) =>
      at < messages.length - 1 ? each : { ...each, content: marked(each.content) },
    )
    bodies.push({
      model,
      max_tokens: 8192,
      system: [{ type: 'text', text: `${system}/home/dev/${project}`, cache_control: ephemeral }],
      messages: sent,
    })
    const used = calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))
    messages.push({ role, content: [...said, ...used] })
    const results = calls.map(({ id, output }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: output,
    }))
    if (results.length > 0) messages.push({ role: 'user', content: results })
  }
  return bodies.slice(0, requests)
}

/** The bodies of an agent that speaks OpenAI's Responses. */
function responsesBodies({ model, project, requests }) {
  const input = []
  const bodies = []
  for (const { role, texts, calls } of steps(project)) {
    if (role !== 'user')
      bodies.push({ model, instructions: `${system}/home/dev/${project}`, input: [...input] })
    const type = role === 'user' ? 'input_text' : 'output_text'
    if (texts.length > 0)
      input.push({ type: 'message', role, content: texts.map((text) => ({ type, text })) })
    for (const { id, name, input: given } of calls)
      input.push({ type: 'function_call', call_id: id, name, arguments: JSON.stringify(given) })
    for (const { id, output } of calls)
      input.push({ type: 'function_call_output', call_id: id, output })
  }
  return bodies.slice(0, requests)
}

/** A provider that reads from its cache what a request has in common with the one before it. */
async function startProvider() {
  const before = new Map()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const key = request.headers['x-session-id']
    const text = body.replaceAll(`,"cache_control":${JSON.stringify(ephemeral)}`, '')
    const last = before.get(key) ?? ''
    before.set(key, text)
    let same = 0
    while (same < text.length && text[same] === last[same]) same++
    const [input, read] = [Math.round(text.length / 4), Math.round(same / 4)]
    const isResponses = request.url.includes('responses')
    const usage = isResponses
      ? { input_tokens: input, input_tokens_details: { cached_tokens: read }, output_tokens: 160 }
      : {
          input_tokens: 0,
          cache_read_input_tokens: read,
          cache_creation_input_tokens: input - read,
          output_tokens: 160,
        }
    const shape = isResponses
      ? { id: 'resp_1', object: 'response', status: 'completed', output: [] }
      : { id: 'msg_1', type: 'message', role: 'assistant', content: [] }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...shape, usage }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${server.address().port}` }
}

async function sendAll(url) {
  for (const [number, session] of sessions.entries()) {
    const isCodex = session.agent === 'codex'
    const bodies = isCodex ? responsesBodies(session) : messagesBodies(session)
    for (const body of bodies) {
      const response = await fetch(`${url}${isCodex ? '/v1/responses' : '/v1/messages'}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': userAgents[session.agent],
          'x-session-id': `sample-${number}`,
          [isCodex ? 'authorization' : 'x-api-key']: 'Bearer sample',
        },
        body: JSON.stringify(body),
      })
      if (!response.ok) throw new Error(`the gateway answered ${response.status}`)
      await response.arrayBuffer()
    }
  }
}

/** Every time of a session, moved to its day. */
function shifted(line, now) {
  const value = JSON.parse(line)
  const [, number] = /^sample-(\d+)$/.exec(value.session?.id ?? '') ?? []
  if (number === undefined) return line
  const { ago } = sessions[Number(number)]
  // In the afternoon, so that today's are not in the future and no zone moves them to another day.
  const back = ago * dayMs
  const move = (key, each) =>
    ['at', 'createdAt', 'usedAt'].includes(key) && typeof each === 'number' && each > now - dayMs
      ? each - back
      : each
  return JSON.stringify(value, move)
}

/** Fills `store` with the week. */
export async function makeSampleWeek(folder, store) {
  const provider = await startProvider()
  const first = path.join(folder, 'first.db')
  const env = { ...process.env, PALIMPSEST_HOME: folder }
  const upstreams = ['anthropic', 'openai'].flatMap((name) => [
    '--upstream',
    `${name}=${provider.url}${name === 'openai' ? '/v1' : ''}`,
  ])
  const child = spawn(
    process.execPath,
    [palimpsest, 'serve', '--port', '0', '--json', '--store', first, ...upstreams],
    { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit')
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    await sendAll(JSON.parse(line).url)
  } finally {
    child.kill('SIGTERM')
    await ended
    provider.server.close()
  }
  const run = (...args) =>
    execFileSync(process.execPath, [palimpsest, ...args], { cwd: folder, env })
  const file = path.join(folder, 'week.jsonl')
  run('store', 'export', file, '--store', first)
  const now = Date.now()
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  writeFileSync(file, `${lines.map((each) => shifted(each, now)).join('\n')}\n`)
  run('store', 'import', file, '--store', store)
}
