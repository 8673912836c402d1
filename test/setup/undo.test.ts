import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { FileChange } from '../../src/setup/agent.ts'
import { agents } from '../../src/setup/agents.ts'
import {
  isApplied,
  planFiles,
  restoreFile,
  undone,
  writeFiles,
} from '../../src/setup/changed-files.ts'
import { jsonAt } from '../../src/setup/json-edit.ts'
import { jsonChange } from '../../src/setup/json-settings.ts'
import { createRerouting } from '../../src/setup/reroute.ts'
import { parseToml } from '../../src/setup/toml-edit.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'palimpsest-undo-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let made = 0
function fileWith(text: string | null, name: string): string {
  const folder = path.join(scratch, `with space ${made++}`)
  mkdirSync(folder)
  const file = path.join(folder, name)
  if (text !== null) writeFileSync(file, text)
  return file
}

/** Applies a change, lets the user edit, and undoes it. */
function around(
  file: string,
  changes: readonly FileChange[],
  edit: (written: string) => string = (written) => written,
): { readonly written: string; readonly after: string | null } {
  const [planned] = planFiles('test', changes, [])
  writeFiles([planned!])
  const written = readFileSync(file, 'utf8')
  expect(isApplied(planned!)).toBe(true)
  writeFileSync(file, edit(written))
  return { written, after: undone(planned!, edit(written)) }
}

const server = { command: 'node', args: ['mcp'] }
const jsonValues = [
  { path: ['env', 'ANTHROPIC_BASE_URL'], value: 'http://127.0.0.1:8787' },
  { path: ['mcpServers', 'palimpsest'], value: server },
]

const jsonFiles: readonly (readonly [what: string, text: string])[] = [
  ['is empty', ''],
  ['has no member', '{}\n'],
  ['has no newline at its end', '{"a":1}'],
  ['is one line', '{ "env": { "MY_OWN": "1" }, "z": [1,2] }\n'],
  ['has tabs', '{\n\t"theme": "dark",\n\t"env": {\n\t\t"A": "b"\n\t}\n}\n'],
  [
    'has comments and a comma too many',
    '{\n  // mine\n  "env": {\n    /* a */ "A": "b", // why\n  },\n}\n',
  ],
  ['has Windows line ends', '{\r\n  "env": {\r\n    "A": "b"\r\n  }\r\n}\r\n'],
  ['begins with a mark', '\ufeff{\n  "a": 1\n}\n'],
  ['has an address already', '{\n  "env": { "ANTHROPIC_BASE_URL": "https://mine.example" }\n}\n'],
]

describe('a change of a JSON file', () => {
  it.each(jsonFiles)('is made and undone to the byte where the file %s', (_, text) => {
    const file = fileWith(text, 'settings.json')
    const { written, after } = around(file, [jsonChange(file, jsonValues)])
    expect(jsonAt(written, ['env', 'ANTHROPIC_BASE_URL'])).toBe('http://127.0.0.1:8787')
    expect(jsonAt(written, ['mcpServers', 'palimpsest', 'args', 0])).toBe('mcp')
    expect(after).toBe(text)
  })

  it('is marked where the format has comments', () => {
    const file = fileWith('{\n  "a": 1\n}\n', 'opencode.jsonc')
    const { written, after } = around(file, [jsonChange(file, jsonValues)])
    expect(written.match(/>>> palimpsest >>>/g)).toHaveLength(2)
    expect(after).toBe('{\n  "a": 1\n}\n')
  })

  it('is undone around what the user wrote since', () => {
    const text = '{\n  "theme": "dark",\n  "env": {\n    "A": "b"\n  }\n}\n'
    const file = fileWith(text, 'settings.json')
    const edit = (written: string): string =>
      written.replace('"dark"', '"light"').replace('"A": "b"', '"A": "b",\n    "C": "d"')
    expect(around(file, [jsonChange(file, jsonValues)], edit).after).toBe(edit(text))
  })

  it.each([
    ['{}\n', '{\n  "mine": true\n}\n'],
    ['{\r\n}\r\n', '{\r\n  "mine": true\r\n}\r\n'],
    ['\ufeff{\n}\n', '\ufeff{\n  "mine": true\n}\n'],
    ['{\n  "env": {}\n}\n', '{\n  "env": {},\n  "mine": true\n}\n'],
  ])(
    'takes the objects with it that it brought, where the user wrote beside them: %j',
    (text, left) => {
      const file = fileWith(text, 'settings.json')
      // A new last member puts a comma behind our own lines.
      const edit = (written: string): string =>
        written.replace(/\}(\r?\n)\}(\r?\n)$/, '},$1  "mine": true$1}$2')
      const { written, after } = around(file, [jsonChange(file, jsonValues)], edit)
      expect(edit(written)).not.toBe(written)
      expect(after?.replace(/\{\s+\}/, '{}')).toBe(left)
    },
  )

  it('is undone where the agent wrote the whole file anew', () => {
    const file = fileWith('{"numStartups":1}', '.claude.json')
    const edit = (written: string): string =>
      JSON.stringify({ ...(JSON.parse(written) as object), numStartups: 2 }, null, 2)
    const { after } = around(file, [jsonChange(file, jsonValues)], edit)
    expect(jsonAt(after ?? '', ['numStartups'])).toBe(2)
    expect(after).not.toContain('palimpsest')
    expect(after).not.toContain('8787')
  })

  it('leaves a value alone that the user has set since', () => {
    const file = fileWith('{"env":{"ANTHROPIC_BASE_URL":"https://old.example"}}', 'settings.json')
    const edit = (written: string): string =>
      written.replace('http://127.0.0.1:8787', 'https://new.example')
    const { after } = around(file, [jsonChange(file, jsonValues.slice(0, 1))], edit)
    expect(jsonAt(after ?? '', ['env', 'ANTHROPIC_BASE_URL'])).toBe('https://new.example')
  })

  it('refuses a file that is not JSON, and says where', () => {
    const file = fileWith('{\n  "a": 1,,\n}\n', 'settings.json')
    expect(() => planFiles('test', [jsonChange(file, jsonValues)], [])).toThrow(
      /settings\.json:2: .*not valid JSON/,
    )
  })
})

describe('a change of a TOML file', () => {
  const text =
    '# my own\nmodel = "gpt-5.5"\n\n[model_providers.mine]\nbase_url = "https://mine.example/v1" # keep\n'
  const changes = (file: string): readonly FileChange[] => [
    {
      file,
      change: {
        kind: 'toml',
        table: 'model_providers.mine',
        key: 'base_url',
        was: 'https://mine.example/v1',
        value: 'http://127.0.0.1:8787/codex-mine',
      },
    },
    {
      file,
      change: { kind: 'block', at: 'end', lines: ['[mcp_servers.palimpsest]', 'command = "node"'] },
    },
  ]

  it('keeps comments, and is undone to the byte', () => {
    const file = fileWith(text, 'config.toml')
    const { written, after } = around(file, changes(file))
    expect(parseToml(written, file)).toMatchObject({
      model_providers: { mine: { base_url: 'http://127.0.0.1:8787/codex-mine' } },
      mcp_servers: { palimpsest: { command: 'node' } },
    })
    expect(written).toContain('codex-mine" # keep')
    expect(after).toBe(text)
  })

  it('is undone where the user wrote into our own lines', () => {
    const file = fileWith(text, 'config.toml')
    const edit = (written: string): string =>
      written.replace('command = "node"', 'command = "node"\nextra = 1').replace('# keep', '# kept')
    expect(around(file, changes(file), edit).after).toBe(text.replace('# keep', '# kept'))
  })
})

describe('a marked block', () => {
  const line = fc.constantFrom('A=1', '# note', '', 'export B=2', 'C="x y"')
  const lines = fc.array(line, { maxLength: 8 })

  it('leaves every text as it was, with whatever the user added before and behind it', () => {
    fc.assert(
      fc.property(lines, fc.boolean(), lines, (before, endsInNewline, added) => {
        const text = before.join('\n') + (endsInNewline && before.length > 0 ? '\n' : '')
        const file = fileWith(text, '.env')
        const change = { kind: 'block', at: 'end', lines: ['X=y'] } as const
        const behind = added.map((each) => `${each}\n`).join('')
        const plain = around(file, [{ file, change }])
        expect(plain.after).toBe(text)
        const [planned] = planFiles('test', [{ file: fileWith(text, '.env'), change }], [])
        const newline = text === '' || text.endsWith('\n') || behind === '' ? '' : '\n'
        expect(undone(planned!, `${planned!.written}${behind}`)).toBe(`${text}${newline}${behind}`)
      }),
      { numRuns: 60 },
    )
  })
})

/** Every agent with configuration of the user's own, in a home of its own. */
const ownFiles: Readonly<Record<string, readonly (readonly [file: string, text: string])[]>> = {
  claude: [
    ['.claude/settings.json', '{\n  "theme": "dark",\n  "env": {\n    "MINE": "1"\n  }\n}\n'],
    ['.claude.json', '{\n  "numStartups": 4\n}\n'],
  ],
  codex: [['.codex/config.toml', 'model = "gpt-5.5"\n\n[tui]\ntheme = "dark"\n']],
  opencode: [
    [
      '.config/opencode/opencode.jsonc',
      '{\n  // my theme\n  "theme": "system",\n  "autoupdate": false\n}\n',
    ],
  ],
  pi: [
    [
      '.pi/agent/models.json',
      '{\n  "providers": {\n    "mine": { "baseUrl": "https://mine.example" }\n  }\n}\n',
    ],
  ],
  gemini: [
    ['.gemini/.env', 'GEMINI_API_KEY=k\n'],
    ['.gemini/settings.json', '{\n  "ui": {\n    "theme": "x"\n  }\n}\n'],
  ],
  copilot: [
    ['.bashrc', 'alias ll="ls -l"\n'],
    ['.copilot/mcp-config.json', '{\n  "mcpServers": {\n    "mine": { "type": "local" }\n  }\n}\n'],
  ],
  qwen: [
    ['.qwen/.env', 'OPENAI_API_KEY=k\n'],
    ['.qwen/settings.json', '{\n  "ui": {\n    "theme": "x"\n  }\n}\n'],
  ],
  cline: [
    [
      '.cline/data/settings/providers.json',
      '{\n  "providers": {\n    "anthropic": {\n      "settings": {\n        "apiKey": "k"\n      }\n    }\n  },\n  "lastUsedProvider": "anthropic"\n}\n',
    ],
  ],
  cn: [
    [
      '.continue/config.yaml',
      'name: mine\nversion: 1.0.0\nmodels:\n  - name: One\n    provider: anthropic\n    model: x\n',
    ],
  ],
  goose: [['.config/goose/config.yaml', 'GOOSE_PROVIDER: anthropic\nGOOSE_MODEL: x\n']],
}

const forms: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'with Windows line ends': (text) => text.replaceAll('\n', '\r\n'),
  'without a newline at its end': (text) => text.trimEnd(),
}

/** A line of the user's before and behind everything; in JSON, a first and a last member. */
function edited(file: string, text: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  if (!/\.jsonc?$/.test(file)) {
    const end = text.endsWith('\n') ? '' : eol
    return `# my first${eol}${text}${end}# my last${eol}`
  }
  return text
    .replace('{', `{${eol}  "first": 1,`)
    .replace(/(\r?\n)\}(\s*)$/, `,$1  "last": { "x": 1 }$1}$2`)
}

describe('what init writes for an agent', () => {
  const cases = agents.flatMap((agent) =>
    Object.keys(forms).map((form) => [agent.id, form, agent] as const),
  )
  it.each(cases)(
    '%s: is undone to the byte and keeps what the user wrote since, in a file %s',
    (id, form, agent) => {
      const home = path.join(scratch, `home of ${id} ${made++}`)
      for (const [name, text] of ownFiles[id]!) {
        mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
        writeFileSync(path.join(home, name), forms[form]!(text))
      }
      const { changes } = agent.keep({
        ...{ home, cwd: home },
        env: {
          COPILOT_PROVIDER_BASE_URL: 'https://own.example/v1',
          ANTHROPIC_API_KEY: 'k',
          SHELL: '/bin/bash',
        },
        gateway: createRerouting('http://127.0.0.1:8787'),
        mcp: { command: ['/usr/bin/node', '/my programs/palimpsest', 'mcp'], env: {} },
      })
      const planned = planFiles(id, changes, [])
      writeFiles(planned)
      const own = ownFiles[id]!.map(([name]) => path.join(home, name))
      expect(own).toEqual(
        expect.arrayContaining(planned.flatMap(({ file, existed }) => (existed ? [file] : []))),
      )
      expect(planned.some(({ existed }) => existed)).toBe(true)
      for (const each of planned) {
        expect(isApplied(each)).toBe(true)
        expect(each.written).not.toBe(each.original)
        expect(undone(each, each.written)).toBe(each.existed ? each.original : null)
        if (!each.existed) continue
        const now = edited(each.file, each.written)
        // Where our lines were the last ones, the newline in front of them is ours too.
        const expected = edited(each.file, each.original)
        expect(undone(each, now)).toBe(expected)
      }
    },
  )
})

describe('files', () => {
  it('stay links, with the mode that they have', () => {
    const real = fileWith('{}\n', 'real.json')
    const link = path.join(path.dirname(real), 'link.json')
    symlinkSync(real, link)
    const [planned] = planFiles('test', [jsonChange(link, jsonValues)], [])
    writeFiles([planned!])
    expect(readFileSync(real, 'utf8')).toContain('palimpsest')
    restoreFile(link, planned!.original, scratch)
    expect(readFileSync(real, 'utf8')).toBe('{}\n')
    expect(statSync(link).ino).toBe(statSync(real).ino)
  })

  it('are left alone when they are read-only, by init and by its undo', () => {
    const file = fileWith('{}\n', 'settings.json')
    const [planned] = planFiles('test', [jsonChange(file, jsonValues)], [])
    chmodSync(file, 0o444)
    expect(() => writeFiles([planned!])).toThrow(
      /settings\.json: cannot be written \(it is read-only\), so nothing was changed/,
    )
    expect(readFileSync(file, 'utf8')).toBe('{}\n')
    expect(() => restoreFile(file, '{"a":1}\n', scratch)).toThrow(/so our change is still in it/)
    expect(readFileSync(file, 'utf8')).toBe('{}\n')
  })

  it('are refused when they are not UTF-8, because other bytes would not come back', () => {
    const file = fileWith(null, '.env')
    writeFileSync(file, Buffer.from('NAME=M\xfcller\n', 'latin1'))
    const change = { kind: 'block', at: 'end', lines: ['X=y'] } as const
    expect(() => planFiles('test', [{ file, change }], [])).toThrow(/\.env: this is not UTF-8 text/)
  })

  it('are all written or none', () => {
    const one = fileWith('{}\n', 'one.json')
    const blocked = path.join(fileWith('', 'file'), 'below', 'two.json')
    expect(() =>
      writeFiles([
        { file: one, written: '{"a":1}\n' },
        { file: blocked, written: '{}\n' },
      ]),
    ).toThrow(/cannot be written .*so nothing was changed/)
    expect(readFileSync(one, 'utf8')).toBe('{}\n')
  })
})
