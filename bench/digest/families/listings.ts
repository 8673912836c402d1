import type { Program, Row, RowWriter, Sheet } from '../sheet.ts'
import { folder, noun, people, service, slug } from '../words.ts'

const digits = (value: number, count: number): string => String(value).padStart(count, '0')

const exception = (write: (position: number) => string): RowWriter => {
  return (position): Row => ({ kind: 'exception', text: write(position) })
}

interface FileEntry {
  readonly mode?: string
  readonly owner?: string
  readonly size?: number
  readonly date?: string
  readonly extension?: string
}

/** Files that differ from their neighbours in one respect. */
const oddFiles = (sheet: Sheet): readonly FileEntry[] =>
  sheet.some<FileEntry>(
    [
      { mode: '-rwsr-xr-x' },
      { mode: '----------' },
      { mode: '-rw-rw-rw-' },
      { owner: 'root' },
      { owner: sheet.pick(people) },
      { size: sheet.between(4_000_000_000, 90_000_000_000) },
      { size: 0 },
      { date: 'Jan  3  2019' },
      { extension: sheet.pick(['pem', 'json.bak', 'sh', 'core', 'json.lock']) },
    ],
    sheet.between(1, 4),
  )

const usualDate = (sheet: Sheet): string =>
  `Mar ${sheet.between(10, 14)} ${digits(sheet.below(24), 2)}:${digits(sheet.below(60), 2)}`

const lsLa: Program = {
  program: 'ls -la',
  write(sheet) {
    const kind = noun(sheet)
    const row = (position: number, entry: FileEntry): readonly [string, string] => {
      const name = `${kind}-${digits(position * 7 + 1000, 6)}.${entry.extension ?? 'json'}`
      const { mode = '-rw-r--r--', owner = 'deploy', size = sheet.between(900, 9900) } = entry
      const date = entry.date ?? usualDate(sheet)
      return [
        `${mode} 1 ${owner.padEnd(6)} deploy ${String(size).padStart(11)} ${date} ${name}`,
        name,
      ]
    }
    sheet.line(
      `total ${sheet.between(4000, 90_000)}`,
      'drwxr-xr-x 2 deploy deploy       77824 Mar 14 06:12 .',
      'drwxr-xr-x 9 deploy deploy        4096 Mar 10 11:40 ..',
    )
    sheet.fill(
      (position) => {
        const [text, name] = row(position, {})
        return { lines: [text], name }
      },
      oddFiles(sheet).map((entry) => exception((position) => row(position, entry)[0])),
    )
    return { command: `ls -la data/${kind}s` }
  },
}

const findLs: Program = {
  program: 'find -ls',
  write(sheet) {
    const row = (position: number, entry: FileEntry): readonly [string, string] => {
      const { mode = '-rw-r--r--', owner = 'deploy', size = sheet.between(900, 9900) } = entry
      const path = `./${folder(sheet)}/${noun(sheet)}-${sheet.hex(4)}.${entry.extension ?? 'json'}`
      const blocks = Math.ceil(size / 4096) * 4
      return [
        `${String(524_301 + position * 3).padStart(9)} ${String(blocks).padStart(6)} ${mode}   1 ${owner.padEnd(8)} deploy   ${String(size).padStart(8)} ${entry.date ?? usualDate(sheet)} ${path}`,
        path,
      ]
    }
    const planted = oddFiles(sheet).map((entry) => exception((p) => row(p, entry)[0]))
    if (sheet.chance(0.3))
      planted.push((): Row => {
        const path = `./${folder(sheet)}/private-${noun(sheet)}`
        return { kind: 'failure', text: `find: ‘${path}’: Permission denied` }
      })
    sheet.fill((position) => {
      const [text, name] = row(position, {})
      return { lines: [text], name }
    }, planted)
    return { command: 'find . -type f -ls 2>&1' }
  },
}

const duA: Program = {
  program: 'du -a',
  write(sheet) {
    const root = sheet.pick(['build', 'var/cache', 'storage', 'dist'])
    const sums: number[] = []
    const group = (position: number, huge: boolean): Row => {
      const name = `${root}/${service(sheet)}-${sheet.hex(6)}`
      const count = sheet.between(3, 12)
      const hugeAt = huge ? sheet.below(count) : -1
      let sum = 4
      const lines = Array.from({ length: count }, (_, index) => {
        const size =
          index === hugeAt ? sheet.between(2_000_000, 12_000_000) * 4 : sheet.between(1, 24) * 4
        sum += size
        const path = `${name}/${noun(sheet)}-${sheet.hex(4)}.bin`
        const text = `${size}\t${path}`
        return index === hugeAt ? { kind: 'exception' as const, text } : text
      })
      sums[position] = sum
      return { lines: [...lines, `${sum}\t${name}`], name }
    }
    sheet.fill(
      (position) => group(position, false),
      Array.from(
        { length: sheet.between(1, 3) },
        () =>
          (position: number): Row =>
            group(position, true),
      ),
    )
    sheet.mark('summary', `${sums.reduce((sum, size) => sum + size, 4)}\t${root}`)
    return { command: `du -a ${root}` }
  },
}

const tree: Program = {
  program: 'tree',
  write(sheet) {
    const details = sheet.variant % 2 === 1
    const label = (name: string, mode = '-rw-r--r--', size = sheet.between(300, 9900)): string =>
      details ? `[${mode} ${String(size).padStart(11)}]  ${name}` : name
    sheet.line('.')
    const counts: number[] = []
    const group = (position: number, odd: string | null): Row => {
      const name = `${service(sheet)}-${noun(sheet)}-${sheet.hex(3)}`
      const count = sheet.between(3, 9)
      counts[position] = count
      const oddAt = odd === null ? -1 : sheet.below(count)
      const files = Array.from({ length: count }, (_, index) => {
        const stem = index === count - 1 ? '└── ' : '├── '
        if (index !== oddAt) return `│   ${stem}${label(`${noun(sheet)}-${sheet.hex(3)}.ts`)}`
        const text = `│   ${stem}${label(odd!, odd!.includes(' -> ') ? 'lrwxrwxrwx' : '-rw-r--r--')}`
        return { kind: 'exception' as const, text }
      })
      return { lines: [`├── ${label(name, 'drwxr-xr-x', 4096)}`, ...files], name }
    }
    const odd = [
      `${service(sheet)}.pem`,
      `${noun(sheet)}.ts.orig`,
      `current -> ../../releases/${sheet.hex(7)}`,
      `${noun(sheet)}.sqlite3`,
      `core.${sheet.between(1000, 30_000)}`,
    ]
    sheet.fill(
      (position) => group(position, null),
      sheet
        .some(odd, sheet.between(1, 3))
        .map((name) => (position: number) => group(position, name)),
    )
    sheet.line('└── package.json', '')
    const files = counts.reduce((sum, count) => sum + count, 1)
    sheet.mark('summary', `${counts.length + 1} directories, ${files} files`)
    return { command: details ? 'tree -a -p -s' : 'tree -a' }
  },
}

const gitStatus: Program = {
  program: 'git status',
  write(sheet) {
    const short = sheet.variant % 2 === 1
    const source = (): string => `${folder(sheet)}/${noun(sheet)}-${noun(sheet)}.ts`
    const branch = `feat/${slug(sheet)}`
    const [ahead, behind] = [sheet.between(2, 9), sheet.between(2, 40)]
    const changes: readonly (readonly [string, string])[] = sheet.some(
      [
        ['M', 'modified:   '],
        ['M', 'modified:   '],
        ['M', 'modified:   '],
        ['D', 'deleted:    '],
      ],
      sheet.between(2, 4),
    )
    const conflicts = sheet.below(3)
    if (short) {
      sheet.mark('summary', `## ${branch}...origin/${branch} [ahead ${ahead}, behind ${behind}]`)
      for (const [letter] of changes) sheet.mark('change', ` ${letter} ${source()}`)
      for (let count = 0; count < conflicts; count++) sheet.mark('failure', `UU ${source()}`)
    } else {
      sheet.mark('summary', `On branch ${branch}`)
      sheet.line(`Your branch and 'origin/${branch}' have diverged,`)
      sheet.mark('summary', `and have ${ahead} and ${behind} different commits each, respectively.`)
      sheet.line('  (use "git pull" if you want to integrate the remote branch with yours)', '')
      if (conflicts > 0) {
        sheet.line('Unmerged paths:', '  (use "git add <file>..." to mark resolution)')
        for (let count = 0; count < conflicts; count++)
          sheet.mark('failure', `\tboth modified:   ${source()}`)
        sheet.line('')
      }
      sheet.line(
        'Changes not staged for commit:',
        '  (use "git add/rm <file>..." to update what will be committed)',
        '  (use "git restore <file>..." to discard changes in working directory)',
      )
      for (const [, word] of changes) sheet.mark('change', `\t${word}${source()}`)
      sheet.line(
        '',
        'Untracked files:',
        '  (use "git add <file>..." to include in what will be committed)',
      )
    }
    const lead = short ? '?? ' : '\t'
    // New files of a generator hide the ones that a person wrote.
    const odd = [source(), `${folder(sheet)}/.env.local`, `migrations/0042_${noun(sheet)}.sql`]
    sheet.fill(
      (position) => {
        const name = `coverage/html/${digits(position, 5)}-${noun(sheet)}-${sheet.hex(4)}.html`
        return { lines: [`${lead}${name}`], name }
      },
      sheet
        .some(odd, sheet.between(1, 3))
        .map((path): Row => ({ kind: 'exception', text: `${lead}${path}` })),
    )
    if (!short) sheet.line('', 'no changes added to commit (use "git add" and/or "git commit -a")')
    return { command: short ? 'git status -sb -uall' : 'git status -uall' }
  },
}

export const listings: readonly Program[] = [lsLa, findLs, duA, tree, gitStatus]
