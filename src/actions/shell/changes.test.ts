import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShellChange } from '../../core/words/action.ts'
import { parseShell } from './index.ts'

const UNKNOWN: ShellChange = { kind: 'unknown' }
function change(path: string): ShellChange {
  return { kind: 'change', path }
}
function write(path: string, content: string): ShellChange {
  return { kind: 'write', path, content, append: false }
}
function append(path: string, content: string): ShellChange {
  return { kind: 'write', path, content, append: true }
}

const TABLE: readonly (readonly [string, readonly ShellChange[]])[] = [
  ["cat > a.ts <<'EOF'\nlet a = `$b`\nEOF", [write('a.ts', 'let a = `$b`\n')]],
  ["cat <<'EOF' > a.ts\none\n\ntwo\nEOF\n", [write('a.ts', 'one\n\ntwo\n')]],
  ['cat > a.ts <<"EOF"\n$x\nEOF', [write('a.ts', '$x\n')]],
  ['cat > a.ts <<EOF\nplain \\$x \\`y\\` \\\\\nEOF', [write('a.ts', 'plain $x `y` \\\n')]],
  ['N=5; cat > a.ts <<EOF\nlet n = $N\nEOF', [write('a.ts', 'let n = 5\n')]],
  ['cat > a.ts <<EOF\nlet n = $UNSET\nEOF', [change('a.ts')]],
  ['cat > a.ts <<EOF\n$(date)\nEOF', [change('a.ts')]],
  ["cat > a.ts <<-'EOF'\n\tone\n\t\ttwo\n\tEOF", [write('a.ts', 'one\ntwo\n')]],
  ["cat >> a.ts <<'EOF'\nmore\nEOF", [append('a.ts', 'more\n')]],
  ["cat > a.ts <<'EOF'\nEOF", [write('a.ts', '')]],
  ["cat > a.ts <<'EOF'\nnever closed", [change('a.ts')]],
  [
    "cat > a.ts <<'A'\n1\nA\ncat > b.ts <<'B'\n2\nB\nls",
    [write('a.ts', '1\n'), write('b.ts', '2\n')],
  ],
  ['echo hello > a.txt', [write('a.txt', 'hello\n')]],
  ['echo -n hello > a.txt', [write('a.txt', 'hello')]],
  ['echo "a  b" c >> a.txt', [append('a.txt', 'a  b c\n')]],
  ["echo -e 'a\\tb' > a.txt", [write('a.txt', 'a\tb\n')]],
  // Whether this is one line or two depends on the shell.
  ["echo 'a\\nb' > a.txt", [change('a.txt')]],
  ['echo $RANDOM > a.txt', [change('a.txt')]],
  ["printf 'a\\n%s\\n' b > a.txt", [write('a.txt', 'a\nb\n')]],
  ["printf '%s\\n' a b > a.txt", [write('a.txt', 'a\nb\n')]],
  ["printf '%05.2f' 3 > a.txt", [change('a.txt')]],
  ['> a.txt', [write('a.txt', '')]],
  [': > a.txt', [write('a.txt', '')]],
  ['{ echo a; echo b; } > a.txt', [write('a.txt', 'a\nb\n')]],
  ['cat <<< "one line" > a.txt', [write('a.txt', 'one line\n')]],
  ["tee a.ts <<'EOF' > /dev/null\nx\nEOF", [write('a.ts', 'x\n')]],
  ["cat <<'EOF' | tee -a a.ts\nx\nEOF", [append('a.ts', 'x\n')]],
  ["cat <<'EOF' | sudo tee /etc/x > /dev/null\nx\nEOF", [write('/etc/x', 'x\n')]],
  ['npm test | tee out.log', [change('out.log')]],
  ['npm test > out.log 2>&1', [change('out.log')]],
  ['npm test 2> err.log', [change('err.log')]],
  ['npm test &> out.log', [change('out.log')]],
  ['npm test > /dev/null 2>&1', []],
  ['git show HEAD:a.ts > a.ts', [change('a.ts')]],
  ['cat a.ts > b.ts', [{ kind: 'copy', path: 'a.ts', to: 'b.ts' }]],
  ['cat a.ts b.ts > c.ts', [change('c.ts')]],
  ['head -5 a.ts > b.ts', [change('b.ts')]],
  ['sort a.txt > b.txt', [change('b.txt')]],
  ['echo x > "$OUT"', [UNKNOWN]],
  ['tmp=$(mktemp); echo x > "$tmp"', []],
  ['cd "$(mktemp -d)" && echo x > a.txt', []],
  ['cd web && echo x > a.txt', [write('web/a.txt', 'x\n')]],
  ["sed -i 's/a/b/' a.ts b.ts", [change('a.ts'), change('b.ts')]],
  ["sed -i '' 's/a/b/' a.ts", [change('a.ts')]],
  ["sed -i.bak -e 's/a/b/' a.ts", [change('a.ts')]],
  ["sed -Ei 's/a/b/' a.ts", [change('a.ts')]],
  ["sed --in-place 's/a/b/' a.ts", [change('a.ts')]],
  ["sed -i '5r part.ts' a.ts && rm part.ts", [change('a.ts'), { kind: 'delete', path: 'part.ts' }]],
  ["sed -i 's/a/b/' src/*.ts", [UNKNOWN]],
  ["for f in a.ts b.ts; do sed -i 's/a/b/' $f; done", [change('a.ts'), change('b.ts')]],
  ["grep -rl a src | xargs sed -i 's/a/b/'", [UNKNOWN]],
  ["find src -name '*.ts' -exec sed -i 's/a/b/' {} +", [UNKNOWN]],
  ['find . -name "*.o" -delete', [UNKNOWN]],
  ['find . -name "*.ts" -exec grep -l x {} +', []],
  ["perl -pi -e 's/a/b/' a.ts", [change('a.ts')]],
  ["perl -0pi -e 's/a/b/s' a.ts b.ts", [change('a.ts'), change('b.ts')]],
  ["perl -i.bak -pe 's/a/b/' a.ts", [change('a.ts')]],
  ["awk -i inplace '{print}' a.ts", [change('a.ts')]],
  ['mv a.ts b.ts', [{ kind: 'move', path: 'a.ts', to: 'b.ts' }]],
  ['mv a.ts lib/', [{ kind: 'move', path: 'a.ts', to: 'lib/a.ts' }]],
  ['git mv a.ts b.ts', [{ kind: 'move', path: 'a.ts', to: 'b.ts' }]],
  [
    'mv a.ts b.ts lib',
    [
      { kind: 'move', path: 'a.ts', to: 'lib/a.ts' },
      { kind: 'move', path: 'b.ts', to: 'lib/b.ts' },
    ],
  ],
  ['mv a.ts lib', [{ kind: 'move', path: 'a.ts', to: 'lib/a.ts' }, change('lib')]],
  ['cp a.ts b.ts', [{ kind: 'copy', path: 'a.ts', to: 'b.ts' }]],
  ['cp src/*.ts lib/', [UNKNOWN]],
  ['cp -r src/. lib', [{ kind: 'copy', path: 'src/.', to: 'lib' }]],
  [
    'rm -f a.ts b.ts',
    [
      { kind: 'delete', path: 'a.ts' },
      { kind: 'delete', path: 'b.ts' },
    ],
  ],
  ['rm -rf "$DIR"', [UNKNOWN]],
  ['touch a.ts', [change('a.ts')]],
  ['mkdir -p a/b', []],
  ['ln -s ../a.ts b.ts', [change('b.ts')]],
  ['truncate -s 0 a.log', [change('a.log')]],
  ['install -m 755 a.sh bin/a.sh', [{ kind: 'copy', path: 'a.sh', to: 'bin/a.sh' }]],
  ['curl -sSL -o a.json https://example.com/a', [change('a.json')]],
  ['curl -O https://example.com/b.tgz?x=1', [change('b.tgz')]],
  ['curl https://example.com/a', []],
  ['wget https://example.com/b.tgz', [change('b.tgz')]],
  ['wget -qO- https://example.com/b', []],
  ['tar xzf a.tgz', [UNKNOWN]],
  ['tar -tzf a.tgz', []],
  ['unzip -o a.zip', [UNKNOWN]],
  ['unzip -l a.zip', []],
  ['dd if=/dev/zero of=a.bin count=1', [change('a.bin')]],
  ['sort -u -o a.txt a.txt', [change('a.txt')]],
  ['git checkout -- a.ts', [change('a.ts')]],
  ['git checkout a.ts b/c.ts', [change('a.ts'), change('b/c.ts')]],
  ['git checkout main -- a.ts', [change('a.ts')]],
  ['git checkout main', [UNKNOWN]],
  ['git checkout .', [UNKNOWN]],
  ['git checkout -b new-branch', []],
  ['git checkout -b new-branch origin/main', [UNKNOWN]],
  ['git switch main', [UNKNOWN]],
  ['git switch -c new-branch', []],
  ['git restore a.ts', [change('a.ts')]],
  ['git restore --staged a.ts', []],
  ['git restore .', [UNKNOWN]],
  ['git reset --hard HEAD~1', [UNKNOWN]],
  ['git reset HEAD a.ts', []],
  ['git stash', [UNKNOWN]],
  ['git stash pop', [UNKNOWN]],
  ['git stash list', []],
  ['git pull --rebase', [UNKNOWN]],
  ['git clean -fd', [UNKNOWN]],
  ['git clean -nd', []],
  ['git rm a.ts', [{ kind: 'delete', path: 'a.ts' }]],
  ['git rm --cached a.ts', []],
  ['git -C web checkout -- a.ts', [change('web/a.ts')]],
  ['git add -A && git commit -m "x > y"', []],
  ['git apply fix.patch', [UNKNOWN]],
  ['git apply --check fix.patch', []],
  ['patch -p1 < fix.patch', [UNKNOWN]],
  ['patch a.ts fix.patch', [change('a.ts')]],
  ['prettier --write src/a.ts', [change('src/a.ts')]],
  ['npx prettier --write "src/**/*.ts"', [UNKNOWN]],
  ['npx prettier --check src/a.ts', []],
  ['npx @biomejs/biome check --write src/a.ts', [change('src/a.ts')]],
  ['eslint --fix src/a.ts src/b.ts', [change('src/a.ts'), change('src/b.ts')]],
  ['eslint src/a.ts', []],
  ['black a.py', [change('a.py')]],
  ['python -m black .', [UNKNOWN]],
  ['black --check a.py', []],
  ['ruff format a.py', [change('a.py')]],
  ['ruff check --fix', [UNKNOWN]],
  ['ruff check a.py', []],
  ['uv run ruff check --fix a.py', [change('a.py')]],
  ['gofmt -w a.go', [change('a.go')]],
  ['gofmt -l .', []],
  ['go fmt ./...', [UNKNOWN]],
  ['rustfmt a.rs', [change('a.rs')]],
  ['cargo fmt', [UNKNOWN]],
  ['cargo fmt --check', []],
  ['cargo clippy --fix', [UNKNOWN]],
  ['npm run format', [UNKNOWN]],
  ['npm run lint:fix', [UNKNOWN]],
  ['npm run lint -- --fix', [UNKNOWN]],
  ['npm run format:check', []],
  ['pnpm format', [UNKNOWN]],
  ['make fmt', [UNKNOWN]],
  ['make test', []],
  ['npm run build && npm test', []],
  ['npm install left-pad', [change('package.json'), change('package-lock.json')]],
  ['npm install -g left-pad', []],
  ['npm ci', []],
  ['cd web && pnpm add -D x', [change('web/package.json'), change('web/pnpm-lock.yaml')]],
  ['yarn remove x', [change('package.json'), change('yarn.lock')]],
  ['cargo add serde', [change('Cargo.toml'), change('Cargo.lock')]],
  ['go mod tidy', [change('go.mod'), change('go.sum')]],
  ['pip install -e .', []],
  ["bash -lc 'sed -i s/a/b/ a.ts'", [change('a.ts')]],
  ["bash <<'EOF'\nrm a.ts\nEOF", [{ kind: 'delete', path: 'a.ts' }]],
  ['eval "rm a.ts"', [{ kind: 'delete', path: 'a.ts' }]],
  ['bash -c "$CMD"', [UNKNOWN]],
  ['./scripts/rewrite-imports.sh', [UNKNOWN]],
  ['bash scripts/run-tests.sh', []],
  ['python apply_fix.py', [UNKNOWN]],
  ['python -m pytest tests/a.py', []],
  ['python reproduce_issue.py', []],
  ['python test_update.py && ./app/fix_tests.py', [UNKNOWN]],
  ['echo $(rm a.ts)', [{ kind: 'delete', path: 'a.ts' }]],
  [
    '(cd web && rm a.ts); rm b.ts',
    [
      { kind: 'delete', path: 'web/a.ts' },
      { kind: 'delete', path: 'b.ts' },
    ],
  ],
  // What may not have run may not have changed anything either.
  ['[ -f a.ts ] || echo x > a.ts', [change('a.ts')]],
  ['if true; then rm a.ts; mv b.ts c.ts; fi', [change('a.ts'), change('b.ts'), change('c.ts')]],
  ['grep -q x a.ts && echo y > b.ts; true', [change('b.ts')]],
  ['mkdir -p lib && echo y > lib/b.ts; true', [write('lib/b.ts', 'y\n')]],
  // A known part stays known beside an unknown one.
  ['echo x > a.txt; git stash pop', [write('a.txt', 'x\n'), UNKNOWN]],
  ['docker exec box rm a.ts', []],
  ['gh pr create --body "$(cat <<\'EOF\'\n> quoted\nrm -rf x\nEOF\n)"', []],
]

describe('what a shell command changes', () => {
  it.each(TABLE)('%s', (command, changes) => {
    expect(parseShell(command).changes).toEqual(changes)
  })

  it('hands over the patch that a command applies, seen from its directory', () => {
    const patch = '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch'
    const changes = [{ kind: 'patch', files: [{ op: 'delete', path: 'web/a.ts' }] }]
    const commands = [
      `cd web && apply_patch <<'EOF'\n${patch}\nEOF`,
      `cd web && apply_patch '${patch}'`,
      `cd web && apply_patch "$(cat <<'EOF'\n${patch}\nEOF\n)"`,
      `cat > /tmp/p <<'EOF'\n${patch}\nEOF\ncd web && git apply /tmp/p`,
    ]
    const found = commands.map((command) => parseShell(command).changes.slice(-1))
    expect(found).toEqual(commands.map(() => changes))
  })

  it('gives back any text that a quoted heredoc writes', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 60 })
    const special = fc.constantFrom('$(rm -rf x)', '`x`', "it's", '"', '\\', '<<EOF', '{a,', '\t')
    fc.assert(
      fc.property(fc.array(fc.oneof(line, special), { maxLength: 20 }), (lines) => {
        const text = lines.map((each) => `${each.replaceAll(/[\r\n]/g, '')}\n`).join('')
        fc.pre(!text.split('\n').includes('END_OF_TEXT'))
        expect(parseShell(`cat > 'a.ts' <<'END_OF_TEXT'\n${text}END_OF_TEXT\n`)).toEqual({
          reads: [],
          changes: [write('a.ts', text)],
          query: null,
        })
      }),
    )
  })
})
