import { describe, expect, it } from 'vitest'
import { isHashOnly } from '../core/render/hash-only.ts'
import type { MessageDraft } from '../core/words/item.ts'
import { createAsRecorded, usualSecretFiles } from './secret-files.ts'

const asRecorded = createAsRecorded(usualSecretFiles)

function step(tool: string, input: object | string): readonly MessageDraft[] {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return [
    { role: 'assistant', items: [{ kind: 'call', tool, call: 'c', text }] },
    { role: 'tool', items: [{ kind: 'result', tool, call: 'c', status: 'ok', text: 'KEY=1' }] },
  ]
}

/** Which of call and result is recorded as a hash. */
function hiddenIn(tool: string, input: object | string): string {
  const [call, result] = asRecorded(step(tool, input)).map(({ items: [item] }) =>
    isHashOnly(item?.text ?? ''),
  )
  return `${call ? 'call' : ''} ${result ? 'result' : ''}`.trim() || 'nothing'
}

type Row = readonly [tool: string, input: object | string]
const bash = (command: string): Row => ['Bash', { command }]

describe('of calls about secret files', () => {
  it.each<Row>([
    ['Read', { file_path: '/project/.env' }],
    ['Read', { file_path: 'C:\\project\\.env.local' }],
    ['Grep', { pattern: 'KEY', glob: '.env*' }],
    bash('cat .env'),
    bash('cat .env* | head -3'),
    bash('cat .en?'),
    bash('cat ~/.ssh/id_*'),
    bash('grep KEY deploy/*.pem'),
  ])('the result is hidden: %s %j', (tool, input) => {
    expect(hiddenIn(tool, input)).toBe('result')
  })

  it.each<Row>([
    ['Write', { file_path: '.env', content: 'KEY=1' }],
    ['Write', '{"file_path": "/project/.env", "content": "KEY=1'],
    ['Edit', { file_path: 'a/server.pem', old_string: 'a', new_string: 'b' }],
    ['batch', { tool_calls: [{ tool: 'bash', parameters: { command: 'cat .env' } }] }],
    ['mcp__desktop-commander__start_process', { command: 'cat .env' }],
    ['js_repl', { code: "require('fs').readFileSync('.env')" }],
    bash('echo KEY=1 >> .env'),
    bash('git show HEAD:.env'),
    bash("python3 - <<'EOF'\nprint(open('.env').read())\nEOF"),
    bash("bash <<'EOF'\ncat .env\nEOF"),
    bash("ssh host 'cat > .env' <<'EOF'\nKEY=1\nEOF"),
    bash("docker exec x sh -c 'echo KEY=1 > .env'"),
    bash('npx dotenv set KEY 1 -f .env'),
  ])('call and result are hidden: %s %j', (tool, input) => {
    expect(hiddenIn(tool, input)).toBe('call result')
  })

  it.each<Row>([
    ['Read', { file_path: '/project/.env.example' }],
    ['Read', { file_path: '/project/src/environment.ts' }],
    ['Grep', { pattern: '\\.env', path: 'src' }],
    ['Glob', { pattern: '**/.env*' }],
    ['Task', { description: 'Look', prompt: 'Do not touch .env' }],
    ['Edit', { file_path: 'README.md', old_string: 'a', new_string: 'Copy .env.example to .env' }],
    bash('ls *'),
    bash('npm test'),
    bash('source .env && npm test'),
    bash('node --env-file=.env app.js'),
    bash("cat > compose.yml <<'EOF'\nenv_file: .env\nEOF"),
  ])('nothing is hidden: %s %j', (tool, input) => {
    expect(hiddenIn(tool, input)).toBe('nothing')
  })

  it('a history that is recorded already stays the same', () => {
    const once = asRecorded(step('Write', { file_path: '.env', content: 'KEY=1' }))
    expect(asRecorded(once)).toEqual(once)
  })

  it('messages that are known are left as they are', () => {
    const messages = step('Read', { file_path: '.env' })
    expect(asRecorded(messages, 2)).toBe(messages)
  })
})
