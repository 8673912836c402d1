import type { Agent, Replacement, SpelledCall } from './agents.ts'
import type { Deed } from './script.ts'
import type { World } from './world.ts'

/** A call that was made, with what came back. */
export interface Performed extends SpelledCall {
  readonly result: string
  readonly status: 'ok' | 'error'
  /** The file that it reads or changes, when there is one. */
  readonly path: string | null
  /** Its effect cannot be told from the call: what is known of the files may be wrong until they are read again. */
  readonly obscures: boolean
}

const pages = [
  'https://a.example/guide?b=1',
  'https://a.example/guide?b=1#top',
  'https://b.example/',
]
const patterns = ['value1', 'compute', '**/*.ts']
const queries = ['ls -la', 'git status', 'pwd && ls', 'git branch -D old']
const letters = 'the quick brown fox jumps over the lazy dog '

export const filler = (size: number): string => letters.repeat(Math.ceil(size / 10))

/** Does a deed in the world. A deed that fails changes nothing there. */
export function perform(deed: Deed, fails: boolean, agent: Agent, world: World): Performed {
  const done = inWorld(deed, fails, agent, world)
  if (!fails) return done
  return { ...done, status: 'error', result: failureOf(done, agent) }
}

function failureOf({ tool, result }: Performed, agent: Agent): string {
  const words = `Error: ${tool} could not do that.\n${filler(result.length % 7)}`
  return agent.shell('').tool === tool ? agent.shellResult('', words, 1) : words
}

function inWorld(
  deed: Exclude<Deed, { readonly do: 'again' }> | Deed,
  fails: boolean,
  agent: Agent,
  world: World,
): Performed {
  const base = { status: 'ok' as const, path: null, obscures: false }
  switch (deed.do) {
    case 'read':
    case 'print':
      return show(deed, agent, world)
    case 'edit':
    case 'patch':
      return change(deed, fails, agent, world)
    case 'write': {
      const path = pathOf(world, deed.file)
      const lines = world.fresh(deed.added + 1)
      if (!fails) world.put(path, lines)
      const call = agent.write(path, `${lines.join('\n')}\n`)
      return { ...base, ...call, path, result: `Wrote ${path} successfully.` }
    }
    case 'command':
      return command(deed, fails, agent, world)
    case 'query':
      return shell(
        agent,
        queries[deed.command % queries.length] as string,
        filler(deed.command + 4),
      )
    case 'list': {
      const tasks = Array.from({ length: 3 }, (_, index) => ({
        content: `Task ${index}: ${filler(2)}`,
        status: index < deed.done ? 'completed' : index === deed.done ? 'in_progress' : 'pending',
      }))
      const call = deed.op === 'write' ? agent.list(tasks) : agent.named('list-read', '')
      return { ...base, ...call, result: `The list: ${JSON.stringify(tasks)}` }
    }
    case 'fetch':
      return { ...base, ...agent.named('fetch', pages[deed.page] as string), result: filler(30) }
    case 'search':
    case 'glob': {
      const pattern = patterns[deed.pattern] as string
      return { ...base, ...agent.named(deed.do, pattern), result: `src/app.ts\n${filler(12)}` }
    }
    case 'snapshot': {
      const path = pathOf(world, deed.file)
      const result = `snapshot of ${path}\n${filler(20)}`
      return { ...base, tool: 'snapshot', input: JSON.stringify({ path }), result }
    }
    case 'prune':
    case 'restore': {
      const input = { action: 'discard', targets: ['a1b2c3'], handle: 'a1b2c3' }
      const tool = `context_${deed.do}`
      return { ...base, tool, input: JSON.stringify(input), result: `Done. ${filler(3)}` }
    }
    case 'subagent':
      return { ...base, ...agent.named('subagent', filler(deed.size)), result: filler(deed.size) }
    case 'secret':
    case 'unknown': {
      const tool = deed.do === 'secret' ? 'secret_tool' : 'mcp__docs__find'
      const input = JSON.stringify({ query: `number ${deed.size % 3}` })
      return { ...base, tool, input, result: filler(deed.size) || 'nothing' }
    }
    case 'again':
      return { ...base, tool: 'unknown', input: '{}', result: 'nothing' }
  }
}

const pathOf = (world: World, file: number): string =>
  world.paths[file % world.paths.length] as string

function shell(agent: Agent, line: string, output: string): Performed {
  const result = agent.shellResult(line, output, 0)
  return { ...agent.shell(line), result, status: 'ok', path: null, obscures: false }
}

function show(
  deed: Extract<Deed, { readonly do: 'read' | 'print' }>,
  agent: Agent,
  world: World,
): Performed {
  const path = pathOf(world, deed.file)
  const lines = world.lines(path)
  // Half of the reads are of the whole file.
  const whole = deed.from > 6 || (deed.do === 'print' && deed.how === 'cat')
  const first = whole || lines === null ? 1 : 1 + (deed.from % Math.max(1, lines.length))
  const shown = lines?.slice(first - 1, whole ? undefined : first - 1 + deed.count) ?? []
  const call =
    deed.do === 'read' ? agent.read(path, whole ? null : { first, count: deed.count }) : null
  if (call !== null) {
    return lines === null
      ? { ...call, path, result: `File not found: ${path}`, status: 'error', obscures: false }
      : {
          ...call,
          path,
          result: agent.shownFile(path, first, shown),
          status: 'ok',
          obscures: false,
        }
  }
  const last = first + deed.count - 1
  const how = deed.do === 'print' ? deed.how : 'sed'
  const name = path.includes(' ') ? `'${path}'` : path
  const spelled = {
    cat: `cat ${name}`,
    sed: whole ? `cat ${name}` : `sed -n '${first},${last}p' ${name}`,
    head: `head -n ${deed.count} ${name}`,
    nl: `nl -ba ${name}`,
  }[how]
  if (lines === null) {
    const result = agent.shellResult(spelled, `cat: ${path}: No such file or directory`, 1)
    return { ...agent.shell(spelled), path, result, status: 'error', obscures: false }
  }
  const printed = {
    cat: lines,
    sed: whole ? lines : shown,
    head: lines.slice(0, deed.count),
    nl: lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`),
  }[how]
  const output = printed.map((line) => `${line}\n`).join('')
  return { ...shell(agent, spelled, output), path }
}

function change(
  deed: Extract<Deed, { readonly do: 'edit' | 'patch' }>,
  fails: boolean,
  agent: Agent,
  world: World,
): Performed {
  const path = pathOf(world, deed.file)
  const lines = world.lines(path)
  const at = lines === null || lines.length === 0 ? 0 : deed.from % lines.length
  const removed = lines?.slice(at, at + deed.count) ?? ['nothing like this']
  const before = deed.do === 'patch' ? (lines?.slice(Math.max(0, at - 2), at) ?? []) : []
  const added = world.fresh(deed.added)
  const spelled = { path, before, removed, added }
  const call = (deed.do === 'edit' ? agent.edit(spelled) : null) ?? agent.patch(spelled)
  const base = { ...call, path, obscures: false }
  if (lines === null || !isUnique(lines, [...before, ...removed]) || isBlank(removed)) {
    return { ...base, status: 'error', result: `Error: the text was not found once in ${path}` }
  }
  if (!fails) {
    const isText = (deed.do === 'edit' && agent.edit(spelled) !== null) || !agent.patchesLines
    world.put(path, isText ? replacedText(lines, spelled) : replacedLines(lines, at, spelled))
  }
  return { ...base, status: 'ok', result: `The file ${path} has been updated successfully.` }
}

const isBlank = (lines: readonly string[]): boolean => lines.join('\n').trim() === ''

function replacedLines(
  lines: readonly string[],
  at: number,
  { removed, added }: Replacement,
): readonly string[] {
  return [...lines.slice(0, at), ...added, ...lines.slice(at + removed.length)]
}

/** A text that is replaced by none leaves the line break behind it. */
function replacedText(
  lines: readonly string[],
  { before, removed, added }: Replacement,
): readonly string[] {
  const old = [...before, ...removed].join('\n')
  return lines
    .join('\n')
    .replace(old, () => [...before, ...added].join('\n'))
    .split('\n')
}

function isUnique(lines: readonly string[], part: readonly string[]): boolean {
  const whole = `\n${lines.join('\n')}\n`
  const text = part.join('\n')
  const first = whole.indexOf(text)
  return text !== '' && first >= 0 && whole.indexOf(text, first + 1) < 0
}

function command(
  deed: Extract<Deed, { readonly do: 'command' }>,
  fails: boolean,
  agent: Agent,
  world: World,
): Performed {
  const path = pathOf(world, deed.file)
  const name = path.includes(' ') ? `'${path}'` : path
  const lines = world.lines(path)
  const put = (changed: readonly string[] | null): void => {
    if (!fails) world.put(path, changed)
  }
  switch (deed.how) {
    case 'append': {
      const [line = 'end'] = world.fresh(1).filter((one) => !/['\n]/.test(one))
      put([...(lines ?? []), line])
      return { ...shell(agent, `echo '${line}' >> ${name}`, ''), path }
    }
    case 'heredoc': {
      const written = world.fresh(deed.added + 1)
      put(written)
      return { ...shell(agent, `cat > ${name} <<'EOF'\n${written.join('\n')}\nEOF`, ''), path }
    }
    case 'sed':
      put(lines?.map((line) => line.replaceAll('value1', 'worth1')) ?? null)
      return { ...shell(agent, `sed -i 's/value1/worth1/g' ${name}`, ''), path }
    case 'remove':
      put(null)
      return { ...shell(agent, `rm -f ${name}`, ''), path }
    case 'move': {
      const to = pathOf(world, deed.file + 1)
      const quoted = to.includes(' ') ? `'${to}'` : to
      if (!fails && lines !== null && to !== path) {
        world.put(to, lines)
        world.put(path, null)
      }
      return { ...shell(agent, `mv ${name} ${quoted}`, ''), path }
    }
    case 'script':
      put(lines === null ? null : [...lines, ...world.fresh(1)])
      return { ...shell(agent, './scripts/format-everything', 'done\n'), path, obscures: true }
    case 'test': {
      const output = Array.from({ length: deed.added * 60 }, (_, n) =>
        n % 50 === 7 ? `FAIL src/app.test.ts > case ${n}` : `ok ${n} ${letters}`,
      ).join('\n')
      return shell(agent, 'npm test', output || 'no tests')
    }
    case 'poll':
      return shell(agent, 'curl -s localhost:8080/health', deed.added % 2 === 0 ? 'up' : 'down')
  }
}
