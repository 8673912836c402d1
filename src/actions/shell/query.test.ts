import { describe, expect, it } from 'vitest'
import { parseShell } from './index.ts'

const SAME: readonly (readonly [string, string])[] = [
  ['ls', 'ls'],
  ['  ls   src  ', 'ls src'],
  ['ls src;', 'ls src'],
  ['ls "src"', 'ls src'],
  ["ls 'my dir'", "ls 'my dir'"],
  ['ls my\\ dir', "ls 'my dir'"],
  ['ls src 2>&1', 'ls src'],
  ['ls src 2>/dev/null', 'ls src 2>/dev/null'],
  ['ls src # what is there', 'ls src'],
  ['ls *.ts', 'ls *.ts'],
  ['ls "*.ts"', "ls '*.ts'"],
  ['pwd', 'pwd'],
  ['tree -L 2', 'tree -L 2'],
  ['cd a && ls', 'cd a && ls'],
  ['ls src && ls test', 'ls src && ls test'],
  ['ls\npwd', 'ls; pwd'],
  ['ls | head -5', 'ls | head -5'],
  ['ls -R | grep test | sort | uniq | wc -l', 'ls -R | grep test | sort | uniq | wc -l'],
  ['ls x || echo "no x"', "ls x || echo 'no x'"],
  ['find . -name "*.ts" -type f', "find . -name '*.ts' -type f"],
  ['find . \\( -name a -o -name b \\)', "find . '(' -name a -o -name b ')'"],
  ['find . -maxdepth 1 -exec ls -l {} \\;', "find . -maxdepth 1 -exec ls -l '{}' ';'"],
  ['git status', 'git status'],
  ['git -C web status --short', 'git -C web status --short'],
  ['git --no-pager log --oneline -5', 'git --no-pager log --oneline -5'],
  ['git branch', 'git branch'],
  ['git branch -a -vv', 'git branch -a -vv'],
  ['git branch --show-current', 'git branch --show-current'],
  ["git branch --list 'fix/*'", "git branch --list 'fix/*'"],
  ['git branch --contains abc123', 'git branch --contains abc123'],
  ["bash -lc 'git status'", 'git status'],
  ['for d in a b; do ls $d; done', 'for d in a b; do ls $d; done'],
  ['(cd web && ls)', '(cd web && ls)'],
]

const NONE: readonly string[] = [
  '',
  'echo hello',
  'cd src',
  'ls > files.txt',
  'ls | tee files.txt',
  'ls >> files.txt 2>&1',
  'ls && rm a.ts',
  'ls && npm test',
  'ls && cat a.ts',
  'cat a.ts',
  'git branch -D old',
  'git branch -m new',
  'git branch new-name',
  'git checkout main',
  'git log --output=log.txt',
  'git diff',
  'git status && git add -A',
  'find . -name "*.o" -delete',
  'find . -name "*.o" -exec rm {} +',
  'find . -fprint out.txt',
  'find . -name "*.ts" | xargs wc -l',
  'ls $(cat dirs.txt)',
  'ls &',
  'head -5 a.ts',
  'tree -o out.txt',
]

describe('a command that only asks for the state of the project', () => {
  it.each(SAME)('%s', (command, query) => {
    expect(parseShell(command)).toEqual({ reads: [], changes: [], query })
  })

  it.each(NONE)('is not: %s', (command) => {
    expect(parseShell(command).query).toBeNull()
  })

  it('tells directories apart', () => {
    expect(parseShell('ls src').query).not.toBe(parseShell('ls test').query)
    expect(parseShell('cd a && ls').query).not.toBe(parseShell('cd b && ls').query)
  })

  it('keeps its key when it is asked again in another spelling', () => {
    const spellings = [
      'ls  "src" | head -n 5',
      "ls 'src'|head -n 5",
      'ls src | head -n 5 ;',
      'ls src | head -n 5 2>&1',
    ]
    expect(new Set(spellings.map((command) => parseShell(command).query)).size).toBe(1)
  })
})
