import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShellRead } from '../../core/words/action.ts'
import { parseShell } from './index.ts'

type Lines = readonly [number, number | null] | null

function range(lines: Lines): ShellRead['lines'] {
  return lines === null ? null : { start: lines[0], end: lines[1] }
}
/** The only thing that the command prints. */
function exactly(path: string, lines: Lines = [1, null]): ShellRead {
  return { path, lines: range(lines), exact: true, numbered: false }
}
function numbered(path: string, lines: Lines = [1, null]): ShellRead {
  return { ...exactly(path, lines), numbered: true }
}
/** Printed, but with other things around it or in other words. */
function partly(path: string, lines: Lines = null): ShellRead {
  return { path, lines: range(lines), exact: false, numbered: false }
}

const TABLE: readonly (readonly [string, readonly ShellRead[]])[] = [
  ['cat src/app.ts', [exactly('src/app.ts')]],
  ['cat "docs/my notes.md"', [exactly('docs/my notes.md')]],
  ["cat 'a b'/c\\ d.txt", [exactly('a b/c d.txt')]],
  ['/bin/cat ./Makefile', [exactly('./Makefile')]],
  ['cat < src/app.ts', [exactly('src/app.ts')]],
  ['cat -n src/app.ts', [numbered('src/app.ts')]],
  ['cat -A src/app.ts', [partly('src/app.ts', [1, null])]],
  ['cat src/app.ts 2>/dev/null', [exactly('src/app.ts')]],
  ['cat src/app.ts 2>&1', [exactly('src/app.ts')]],
  ['cat a.ts b.ts', [partly('a.ts', [1, null]), partly('b.ts', [1, null])]],
  ['cat src/*.ts', [partly('src/*.ts')]],
  ['cat src/{one,two}.ts', [partly('src/one.ts', [1, null]), partly('src/two.ts', [1, null])]],
  ["cat <<'EOF'\nsrc/app.ts\nEOF", []],
  ['cat a.ts > /dev/null', []],
  ['head src/app.ts', [exactly('src/app.ts', [1, 10])]],
  ['head -n 40 src/app.ts', [exactly('src/app.ts', [1, 40])]],
  ['head -n40 src/app.ts', [exactly('src/app.ts', [1, 40])]],
  ['head -40 src/app.ts', [exactly('src/app.ts', [1, 40])]],
  ['head --lines=40 src/app.ts', [exactly('src/app.ts', [1, 40])]],
  ['head -c 100 src/app.ts', [partly('src/app.ts')]],
  ['head -n -5 src/app.ts', [partly('src/app.ts')]],
  ['head -5 a.ts b.ts', [partly('a.ts'), partly('b.ts')]],
  ['tail -n 20 src/app.ts', [partly('src/app.ts')]],
  ['tail -20 src/app.ts', [partly('src/app.ts')]],
  ['tail -n +30 src/app.ts', [exactly('src/app.ts', [30, null])]],
  ['tail -n +30 src/app.ts | head -n 11', [exactly('src/app.ts', [30, 40])]],
  ['head -n 40 src/app.ts | tail -n +30', [exactly('src/app.ts', [30, 40])]],
  // With fewer than 40 lines these would be other lines than 31 to 40.
  ['head -n 40 src/app.ts | tail -n 10', [partly('src/app.ts')]],
  ["sed -n '10,40p' src/app.ts", [exactly('src/app.ts', [10, 40])]],
  ['sed -n "10,40p" src/app.ts', [exactly('src/app.ts', [10, 40])]],
  ['sed -n 10,40p src/app.ts', [exactly('src/app.ts', [10, 40])]],
  ["sed -n '10,40 p' src/app.ts", [exactly('src/app.ts', [10, 40])]],
  ["sed -n '7p' src/app.ts", [exactly('src/app.ts', [7, 7])]],
  ["sed -n '7,$p' src/app.ts", [exactly('src/app.ts', [7, null])]],
  ["sed -n '7,+3p' src/app.ts", [exactly('src/app.ts', [7, 10])]],
  ["sed -n '9,4p' src/app.ts", [exactly('src/app.ts', [9, 9])]],
  ["sed -n '10,20p;20q' src/app.ts", [exactly('src/app.ts', [10, 20])]],
  ["sed -n -e '10,40p' src/app.ts", [exactly('src/app.ts', [10, 40])]],
  ["sed --quiet '10,40p' -- src/app.ts", [exactly('src/app.ts', [10, 40])]],
  ["sed '40q' src/app.ts", [exactly('src/app.ts', [1, 40])]],
  ["sed '10,40!d' src/app.ts", [exactly('src/app.ts', [10, 40])]],
  ["sed -n '1,5p;10,15p' a.ts", [partly('a.ts', [1, 5]), partly('a.ts', [10, 15])]],
  ["sed -n -e '1,5p' -e '9p' a.ts", [partly('a.ts', [1, 5]), partly('a.ts', [9, 9])]],
  ["sed -n '/^export/p' src/app.ts", [partly('src/app.ts')]],
  ["sed -n '/start/,/end/p' src/app.ts", [partly('src/app.ts')]],
  ["sed 's/a/b/' src/app.ts", [partly('src/app.ts')]],
  ['nl -ba src/app.ts', [numbered('src/app.ts')]],
  ['nl -b a src/app.ts', [numbered('src/app.ts')]],
  // Without -ba the numbers skip blank lines, and are not the file's.
  ['nl src/app.ts', [{ ...numbered('src/app.ts'), exact: false }]],
  ["nl -ba src/app.ts | sed -n '10,40p'", [numbered('src/app.ts', [10, 40])]],
  ["cat -n src/app.ts | sed -n '10,40p'", [numbered('src/app.ts', [10, 40])]],
  ["sed -n '10,40p' src/app.ts | nl -ba -v10", [numbered('src/app.ts', [10, 40])]],
  ["sed -n '10,40p' src/app.ts | cat -n", [{ ...numbered('src/app.ts', [10, 40]), exact: false }]],
  ['cat src/app.ts | head -50', [exactly('src/app.ts', [1, 50])]],
  ["sed -n '1,200p' src/app.ts | cat", [exactly('src/app.ts', [1, 200])]],
  ["sed -n '20,90p' src/app.ts | head -n 5", [exactly('src/app.ts', [20, 24])]],
  ['cat src/app.ts | wc -l', []],
  ['wc -l src/app.ts', []],
  ['cat src/app.ts | grep -n main', [partly('src/app.ts')]],
  ['cat package.json | jq .scripts', [partly('package.json')]],
  ['cat src/app.ts | python3 -m json.tool', [partly('src/app.ts')]],
  ["awk 'NR>=10 && NR<=40' src/app.ts", [exactly('src/app.ts', [10, 40])]],
  ["awk 'NR>=10&&NR<=40{print}' src/app.ts", [exactly('src/app.ts', [10, 40])]],
  ["awk 'NR==10,NR==40' src/app.ts", [exactly('src/app.ts', [10, 40])]],
  ["awk 'NR==7 {print $0}' src/app.ts", [exactly('src/app.ts', [7, 7])]],
  [`awk 'NR>5 {print NR": "$0}' src/app.ts`, [numbered('src/app.ts', [6, null])]],
  ["awk '{print $1}' src/app.ts", [partly('src/app.ts')]],
  ['less src/app.ts', [exactly('src/app.ts')]],
  ['bat -r 10:40 src/app.ts', [exactly('src/app.ts', [10, 40])]],
  ['grep -n main src/app.ts', [{ ...partly('src/app.ts'), numbered: true }]],
  ['grep -A 3 "a b" src/app.ts src/b.ts', [partly('src/app.ts'), partly('src/b.ts')]],
  ['grep -rn main src', []],
  ['grep -c main src/app.ts', []],
  ['rg -n main src/app.ts', [{ ...partly('src/app.ts'), numbered: true }]],
  ['rg -n main src', []],
  ['rg main', []],
  ['git show HEAD:src/app.ts', []],
  ['git diff src/app.ts', []],
  ['cd web && cat src/app.ts', [exactly('web/src/app.ts')]],
  ['cd web; cd src; cat app.ts', [exactly('web/src/app.ts')]],
  ['cd web && cat ../a.ts', [exactly('a.ts')]],
  ['cd /srv/site && cat a.ts', [exactly('/srv/site/a.ts')]],
  ['cd web && cat /etc/hosts', [exactly('/etc/hosts')]],
  ['(cd web && cat a.ts); cat b.ts', [partly('web/a.ts', [1, null]), partly('b.ts', [1, null])]],
  ['cd web && cd - && cat a.ts', [partly('a.ts', [1, null])]],
  ['cd "$SOMEWHERE" && cat a.ts', []],
  ['cd web || exit 1; cat a.ts', [exactly('web/a.ts')]],
  ['F=src/app.ts; sed -n 1,20p "$F"', [exactly('src/app.ts', [1, 20])]],
  [`D=src\nF=$D/app.ts\ncat "\${F}"`, [exactly('src/app.ts')]],
  ['F=src/app.ts; cat "${F%.ts}.js"', [exactly('src/app.js')]],
  ['FILES="a.ts b.ts"; cat $FILES', [partly('a.ts', [1, null]), partly('b.ts', [1, null])]],
  ['FILES=(a.ts b.ts); cat "${FILES[@]}"', [partly('a.ts', [1, null]), partly('b.ts', [1, null])]],
  ['for f in a.ts b.ts; do cat $f; done', [partly('a.ts', [1, null]), partly('b.ts', [1, null])]],
  ['for f in a.ts; do echo "== $f"; head -3 "$f"; done', [partly('a.ts', [1, 3])]],
  ['for f in $(git ls-files); do cat "$f"; done', []],
  ['cat "$UNSET/a.ts"', []],
  ['cat $(git ls-files)', []],
  ['X=$(cat a.ts)', []],
  ['sed -n 1,5p a.ts; sed -n 1,5p b.ts', [partly('a.ts', [1, 5]), partly('b.ts', [1, 5])]],
  ['cat a.ts && echo --- && cat b.ts', [partly('a.ts', [1, null]), partly('b.ts', [1, null])]],
  ['echo "== a.ts"; cat a.ts', [partly('a.ts', [1, null])]],
  ['ls && cat a.ts', [partly('a.ts', [1, null])]],
  ['mkdir -p out && cat a.ts', [exactly('a.ts')]],
  ['set -e; cat a.ts', [exactly('a.ts')]],
  ['[ -f a.ts ] && cat a.ts', [exactly('a.ts')]],
  // A command that succeeds either way may have printed something else.
  ['cat a.ts || echo missing', [partly('a.ts', [1, null])]],
  ['cat a.ts 2>/dev/null || true', [partly('a.ts', [1, null])]],
  ['if [ -f a.ts ]; then cat a.ts; fi', [partly('a.ts', [1, null])]],
  ['cat a.ts &', [partly('a.ts', [1, null])]],
  ["bash -lc 'cd web && sed -n 1,9p a.ts'", [exactly('web/a.ts', [1, 9])]],
  ['sh -c "cat a.ts"', [exactly('a.ts')]],
  [`bash -c 'cat "$1"' _ a.ts`, [exactly('a.ts')]],
  ['sudo cat /etc/hosts', [exactly('/etc/hosts')]],
  ['env LC_ALL=C cat a.ts', [exactly('a.ts')]],
  ['LC_ALL=C cat a.ts', [exactly('a.ts')]],
  ['timeout 10 cat a.ts', [exactly('a.ts')]],
  ['time cat a.ts', [exactly('a.ts')]],
  ['command cat a.ts', [exactly('a.ts')]],
  ['find . -name "*.ts" | xargs cat', []],
  ['cat a.ts # the whole file', [exactly('a.ts')]],
  ['show() { sed -n "$1,$2p" a.ts; }; show 3 9', [exactly('a.ts', [3, 9])]],
]

describe('what a shell command prints of files', () => {
  it.each(TABLE)('%s', (command, reads) => {
    expect(parseShell(command)).toEqual({ reads, changes: [], query: null })
  })

  it('shows a file as it is after a change that the same command makes first', () => {
    expect(parseShell("sed -i '/a/{d}' a.ts && cat a.ts")).toEqual({
      reads: [exactly('a.ts')],
      changes: [{ kind: 'change', path: 'a.ts' }],
      query: null,
    })
  })

  it('makes no claim about lines that the same command changes after printing them', () => {
    expect(parseShell("cat a.ts && sed -i '/a/{d}' a.ts")).toEqual({
      reads: [partly('a.ts')],
      changes: [{ kind: 'change', path: 'a.ts' }],
      query: null,
    })
    expect(parseShell('cat a.ts && git stash').reads).toEqual([partly('a.ts')])
  })

  it('forgets a directory and a variable that only a condition set', () => {
    expect(parseShell('if [ -d web ]; then cd web; fi; cat a.ts').reads).toEqual([])
    expect(parseShell('F=a.ts; [ -n "$X" ] && F=b.ts; cat $F').reads).toEqual([])
  })

  it('reads any range of sed -n, wherever the command stands', () => {
    const line = fc.integer({ min: 1, max: 100_000 })
    fc.assert(
      fc.property(
        line,
        line,
        fc.constantFrom('', 'cd web && ', 'set -e; '),
        (first, more, before) => {
          const path = before.startsWith('cd') ? 'web/a.ts' : 'a.ts'
          expect(parseShell(`${before}sed -n '${first},${first + more}p' a.ts`)).toEqual({
            reads: [exactly(path, [first, first + more])],
            changes: [],
            query: null,
          })
        },
      ),
    )
  })

  it('composes cuts as the programs do', () => {
    const cut = fc.record({
      from: fc.integer({ min: 1, max: 50 }),
      count: fc.integer({ min: 1, max: 50 }),
    })
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 4 }), (cuts) => {
        const file = Array.from({ length: 300 }, (_, index) => index + 1)
        const shown = cuts.reduce(
          (lines, { from, count }) => lines.slice(from - 1, from - 1 + count),
          file,
        )
        fc.pre(shown.length > 0)
        const pipes = cuts
          .map(({ from, count }) => `tail -n +${from} | head -n ${count}`)
          .join(' | ')
        const read = parseShell(`cat a.ts | ${pipes}`).reads[0]
        const lines = read?.lines ?? { start: 0, end: 0 }
        expect(file.slice(lines.start - 1, lines.end ?? undefined)).toEqual(shown)
      }),
    )
  })
})
