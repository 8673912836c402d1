import { describe, expect, it } from 'vitest'
import { parseShell } from '../index.ts'
import { readScriptEffects } from './writes.ts'

const TABLE: readonly (readonly [string, readonly string[]])[] = [
  ["open('a.py', 'w').write(x)", ['a.py']],
  ['with open("a.py", mode="a") as f:\n    f.write(x)', ['a.py']],
  ["p = 'a.py'\ns = open(p).read()\nopen(p, 'w').write(s)", ['a.py']],
  ["from pathlib import Path\nPath('src') / 'a.py'\nPath('src/b.py').write_text('')", ['src/b.py']],
  ["p = Path('src') / 'a.py'\np.write_text(p.read_text())", ['src/a.py']],
  ["p = os.path.join('src', 'a.py')\nwith open(p, 'w') as f: pass", ['src/a.py']],
  ["for p in ['a.py', 'b.py']:\n    open(p, 'w')", ['a.py', 'b.py']],
  ["files = ('a.py', 'b.py')\nfor p in files:\n    Path(p).write_text('')", ['a.py', 'b.py']],
  ["import os; os.remove('a.py'); os.rename('b.py', 'c.py')", ['a.py', 'b.py', 'c.py']],
  ["shutil.copy('a.py', 'b.py')", ['a.py', 'b.py']],
  ["const fs = require('fs')\nfs.writeFileSync('a.js', s)", ['a.js']],
  ["const p = path.join('src', 'a.js')\nawait writeFile(p, s)", ['src/a.js']],
  ["let f = 'a.js'; fs.appendFileSync(f, s)", ['a.js']],
  ["import tempfile\nd = tempfile.mkdtemp()\nopen(d + '/x', 'w')", []],
  ["with tempfile.TemporaryDirectory() as d:\n    open(os.path.join(d, 'x'), 'w')", []],
  ["open(sys.argv[1], 'w')", ['first.py']],
]

describe('what a script of another language writes', () => {
  it.each(TABLE)('%s', (script, paths) => {
    const effects = readScriptEffects(script, ['-', 'first.py'])
    expect(effects).toEqual({ paths, unknown: false, commands: [] })
  })

  it.each([
    'print(sum(range(10)))',
    "print(open('a.py').read())",
    "s = open('a.py', 'rb').read().replace(b'a', b'b')",
    "console.log(require('fs').readFileSync('a.js', 'utf8'))",
    'code = """\nopen(path, "w")\n"""\nprint(code)',
  ])('a computation changes nothing: %s', (script) => {
    expect(readScriptEffects(script, [])).toEqual({ paths: [], unknown: false, commands: [] })
  })

  it.each([
    "open(path, 'w').write(x)",
    "for p in glob('*.py'):\n    open(p, 'w')",
    'fs.writeFileSync(`${dir}/a.js`, s)',
    'find_file().write_text(s)',
    'subprocess.run(command)',
  ])('a write to a place that is not spelled out may be anywhere: %s', (script) => {
    expect(readScriptEffects(script, [])).toEqual({ paths: [], unknown: true, commands: [] })
  })

  it('follows the commands that a script runs', () => {
    const script =
      "subprocess.run(['git', 'checkout', '--', 'a.py'], check=True)\nos.system('rm b.py')"
    expect(parseShell(`python3 - <<'EOF'\n${script}\nEOF`).changes).toEqual([
      { kind: 'change', path: 'a.py' },
      { kind: 'delete', path: 'b.py' },
    ])
  })

  it.each([
    ["python3 - <<'EOF'\nopen('a.py', 'w')\nEOF", 'a.py'],
    ["python3 <<'EOF'\nopen('a.py', 'w')\nEOF", 'a.py'],
    [`python3 -c "open('a.py', 'w')"`, 'a.py'],
    ["cat <<'EOF' | python3 -\nopen('a.py', 'w')\nEOF", 'a.py'],
    ["cd src && python3 - a.py <<'EOF'\nimport sys\nopen(sys.argv[1], 'w')\nEOF", 'src/a.py'],
    [`node -e "require('fs').writeFileSync('a.js', '')"`, 'a.js'],
    ["node --input-type=module <<'EOF'\nfs.writeFileSync('a.js', '')\nEOF", 'a.js'],
    ["ruby -e \"File.write('a.rb', '')\"", 'a.rb'],
  ])('finds the script wherever it stands: %s', (command, path) => {
    expect(parseShell(command).changes).toEqual([{ kind: 'change', path }])
  })

  it('reads a script that the same command wrote, whatever its name', () => {
    const text = "open('a.py', 'w')\n"
    expect(parseShell(`cat > fix.py <<'EOF'\n${text}EOF\npython3 fix.py`).changes).toEqual([
      { kind: 'write', path: 'fix.py', content: text, append: false },
      { kind: 'change', path: 'a.py' },
    ])
  })
})
