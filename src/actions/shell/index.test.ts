import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseShell } from './index.ts'

/** Words and signs that mean something to the reader, in any order. */
const FRAGMENTS = [
  'cat a.ts',
  'sed -n 1,2p',
  '|',
  '&&',
  '||',
  ';',
  '\n',
  '>',
  '<<EOF',
  'EOF',
  '$(',
  ')',
  '(',
  '{',
  '}',
  '"',
  "'",
  '`',
  '${a',
  '$((',
  'if',
  'then',
  'fi',
  'for x in',
  'do',
  'done',
  'case',
  'esac',
  'f()',
  'bash -c',
  'python3 -c',
  "open('a','w')",
  'git checkout',
  'xargs',
  'sudo',
  '\\',
  '\0',
  '#',
  '-n',
  '[[',
  'cd',
]

const HOSTILE: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['an unbalanced quote', "cat 'a.ts"],
  ['an unbalanced double quote', 'echo "$(cat a.ts'],
  ['NUL characters', 'cat a\0b.ts > c\0d'],
  ['a lone surrogate', 'cat \ud800.ts > \udfff'],
  ['prose', 'I\'ll read the file (src/app.ts) & then "fix it'],
  ['PowerShell', 'Get-Content C:\\a.txt | Select-Object -First 5'],
  ['deep subshells', '('.repeat(20_000)],
  ['deep substitutions', '$('.repeat(20_000)],
  ['deep groups', '{ '.repeat(20_000)],
  ['deep functions', 'f()'.repeat(20_000)],
  ['deep conditions', 'if a; then '.repeat(5_000)],
  ['nested loops', 'for i in a b; do '.repeat(200)],
  ['functions that call themselves', 'f() { f; f; f; f; }; f'],
  ['a variable that doubles', `a=x;${'a=$a$a;'.repeat(200)}echo $a > b`],
  ['braces that multiply', `cat ${'{a,b,c,d}'.repeat(30)}`],
  ['wrappers in wrappers', 'sudo '.repeat(50_000)],
  ['open braces', '{a,'.repeat(30_000)],
  ['open arithmetic', '$['.repeat(30_000)],
  ['many finds in finds', 'find . -exec '.repeat(5_000)],
]

describe('parseShell on anything', () => {
  it('never throws, and answers in the agreed shape', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((words) => words.join(' ')),
      fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((words) => words.join('')),
    )
    fc.assert(
      fc.property(text, (command) => {
        expect(Object.keys(parseShell(command))).toEqual(['reads', 'changes', 'query'])
      }),
      { numRuns: 1_000 },
    )
  })

  it('gives the same answer every time', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...FRAGMENTS)), (words) => {
        const command = words.join(' ')
        expect(parseShell(command)).toEqual(parseShell(command))
      }),
    )
  })

  it.each(HOSTILE)('survives %s within a second or two', (_, command) => {
    const before = performance.now()
    expect(Object.keys(parseShell(command))).toEqual(['reads', 'changes', 'query'])
    expect(performance.now() - before).toBeLessThan(5_000)
  })

  it('claims less of a command that is damaged', () => {
    expect(parseShell("echo x > a.ts; cat b.ts; echo '")).toEqual({
      reads: [{ path: 'b.ts', lines: { start: 1, end: null }, exact: false, numbered: false }],
      changes: [{ kind: 'change', path: 'a.ts' }],
      query: null,
    })
    expect(parseShell("ls '").query).toBeNull()
  })

  it('takes a heredoc of a megabyte, braces without end included', () => {
    const text = `${'{"a":[{"b":'.repeat(100_000)}\n`
    expect(parseShell(`cat > a.json <<'EOF'\n${text}EOF`)).toEqual({
      reads: [],
      changes: [{ kind: 'write', path: 'a.json', content: text, append: false }],
      query: null,
    })
  })

  it.each([
    ['statements', (count: number) => 'cat a.ts; '.repeat(count)],
    ['pipes', (count: number) => `cat a.ts${' | cat'.repeat(count)}`],
    ['heredoc lines', (count: number) => `cat > a <<'EOF'\n${'x $y `z`\n'.repeat(count)}EOF`],
    [
      'script lines',
      (count: number) => `python3 - <<'EOF'\n${"open('a', 'w')\n".repeat(count)}EOF`,
    ],
    ['words', (count: number) => `cat ${'a '.repeat(count)}`],
    ['assignments', (count: number) => 'a+=(x); '.repeat(count)],
  ])('takes time in proportion to its %s', (_, make) => {
    // Time of the processor, and the best of three commands that were not parsed before: others may be at work here.
    const time = (count: number): number => {
      const times = [0, 1, 2].map((more) => {
        const command = make(count + more)
        const before = process.cpuUsage().user
        parseShell(command)
        return (process.cpuUsage().user - before) / 1_000
      })
      return Math.min(...times)
    }
    parseShell(make(2_000))
    expect(time(40_000)).toBeLessThan(Math.max(5, time(4_000)) * 40)
  })
})

const CORPUS = new URL('../../../../shared/corpus/mini-swe-agent/', import.meta.url)

describe.skipIf(!existsSync(CORPUS))('parseShell on recorded sessions', () => {
  it('finds a file or an effect in nearly every command that names sed, cat, nl or a redirection', () => {
    const commands = readdirSync(CORPUS).flatMap((name) => {
      const text = readFileSync(new URL(name, CORPUS), 'utf8')
      return [...text.matchAll(/```bash\\n((?:sed|cat|nl) .*?)\\n```/g)].map(
        (match) => JSON.parse(`"${match[1]!}"`) as string,
      )
    })
    const understood = commands.filter((command) => {
      const { reads, changes } = parseShell(command)
      return reads.length + changes.length > 0
    })
    expect(commands.length).toBeGreaterThan(100)
    expect(understood.length / commands.length).toBeGreaterThan(0.98)
  })
})
