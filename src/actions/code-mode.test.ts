import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShellAction } from '../core/words/action.ts'
import { actionOf } from './action-of.ts'

function act(program: string): ShellAction {
  const action = actionOf({ tool: 'exec', text: program })
  if (action.kind !== 'shell') throw new Error(`a program became ${action.kind}`)
  return action
}

const unknown = { kind: 'unknown' } as const
const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch\n'
const wholeFile = { path: 'a.ts', lines: { start: 1, end: null }, exact: true, numbered: false }

describe('a program of one command', () => {
  it.each([
    'const r = await tools.exec_command({cmd:"cat a.ts",workdir:"/p"}); text(r.output)',
    'const r = await tools.exec_command({ "cmd": `cat a.ts`, workdir: \'/p\', })\ntext(r.output)\n',
    'text((await tools.exec_command({cmd:"cat a.ts", workdir:"/p"})).output);',
    'text(await tools.exec_command({cmd:"cat a.ts", workdir:"/p"}));',
    'const r = await tools.exec_command({cmd:"cat a.ts", workdir:"/p"}); text(JSON.stringify(r));',
    'const { output } = await tools.exec_command({cmd:"cat a.ts", workdir:"/p"});\ntext(output);',
    'const cmd = "cat " + "a.ts", workdir = "/p";\nconst r = await tools.exec_command({cmd, workdir});\ntext(r.output);',
    '// @exec: {"max_output_tokens": 900}\n/* look */ const r = await tools.exec_command({cmd:["cat","a.ts"].join(" "), workdir:"/p"}); text(r.output)',
    'const [r] = await Promise.all([tools.exec_command({cmd:"cat a.ts", workdir:"/p"})]); text(r)',
    'const r = await tools.exec_command({cmd:"\\x63at \\u0061.ts", workdir:"/p"});\ntext(r.output);',
  ])('is that command: %s', (program) => {
    expect(act(program)).toEqual({
      kind: 'shell',
      command: 'cat a.ts',
      workdir: '/p',
      reads: [wholeFile],
      changes: [],
      query: null,
      continues: false,
    })
  })

  it.each([
    'const r = await tools.exec_command({cmd:"cat a.ts"}); text(r.output.slice(0, 90))',
    'const r = await tools.exec_command({cmd:"cat a.ts"}); text("a.ts:"); text(r.output)',
    'const r = await tools.exec_command({cmd:"cat a.ts"}); text(`${r.output}`)',
    'const r = await tools.exec_command({cmd:"cat a.ts"}); text(JSON.stringify(r.output))',
    'const r = await tools.exec_command({cmd:"cat a.ts"}); for (const x of [r]) text(x.output)',
    'const r = await tools.exec_command({cmd:"cat a.ts"}); if (r.output) { text(r.output) }',
  ])('shows no lines for certain where it prints something else: %s', (program) => {
    expect(act(program)).toMatchObject({ reads: [{ ...wholeFile, exact: false }], changes: [] })
  })

  it('shows nothing where it prints nothing', () => {
    expect(act('await tools.exec_command({cmd:"cat a.ts"})')).toMatchObject({ reads: [] })
  })

  it('leaves a file unknown where nobody sees whether the command failed', () => {
    const cmd = JSON.stringify("cat > a.ts <<'EOF'\nx\nEOF")
    const written = { kind: 'write', path: 'a.ts', content: 'x\n', append: false }
    expect(act(`text(await tools.exec_command({cmd:${cmd}}))`).changes).toEqual([written])
    const hidden = `const r = await tools.exec_command({cmd:${cmd}}); text(r.output)`
    expect(act(hidden).changes).toEqual([{ kind: 'change', path: 'a.ts' }])
  })

  it('has the key of a command that only looks', () => {
    const { query } = actionOf({
      tool: 'exec_command',
      text: '{"cmd":"git status"}',
    }) as ShellAction
    expect(query).not.toBeNull()
    expect(act('text(await tools.exec_command({cmd:"git status"}))').query).toBe(query)
  })
})

describe('a program with patches', () => {
  const changes = [{ kind: 'patch', files: [{ op: 'update', path: 'a.ts' }] }]

  it.each([
    `text(await tools.apply_patch(${JSON.stringify(patch)}))`,
    `const p = \`${patch}\`;\nawait tools.apply_patch(p);`,
    `const p = String.raw\`${patch}\`\nconst r = await tools.apply_patch(p)\ntext(r)`,
    `await tools.apply_patch(${JSON.stringify(patch.split('\n'))}.join("\\n"))`,
    `// patch\nawait tools.apply_patch(${JSON.stringify(patch)});\nconst s = await tools.exec_command({cmd:"git diff --stat"});\ntext(s.output)`,
  ])('changes what they name: %s', (program) => {
    expect(act(program)).toMatchObject({ changes })
  })

  it('keeps what a raw template says', () => {
    const program = `await tools.apply_patch(String.raw\`${patch.replace('+y', '+y\\n')}\`)`
    const [change] = act(program).changes
    expect(JSON.stringify(change)).toContain(JSON.stringify('y\\n'))
  })

  it('makes changes in order, and those at the same time uncertain', () => {
    const call = `tools.apply_patch(${JSON.stringify(patch)})`
    expect(act(`await ${call}; await ${call}`).changes).toMatchObject([...changes, ...changes])
    expect(act(`await Promise.all([${call}, ${call}])`).changes).toEqual([
      { kind: 'change', path: 'a.ts' },
      { kind: 'change', path: 'a.ts' },
    ])
  })

  it('does not take what was read before a change for what is there now', () => {
    const read = 'const r = await tools.exec_command({cmd:"cat a.ts"});'
    const change = `await tools.apply_patch(${JSON.stringify(patch)});`
    expect(act(`${read}${change}text(r.output)`).reads).toMatchObject([{ exact: false }])
    expect(act(`${change}${read}text(r.output)`).reads).toMatchObject([{ exact: true }])
  })

  it('finds files of several commands in the folder of each', () => {
    const program = `const [a, b] = await Promise.all([
      tools.exec_command({ cmd: 'rm x.ts', workdir: '/p' }),
      tools.exec_command({ cmd: 'rm /q/y.ts && rm z.ts', workdir: '/r' }),
    ]);
    text(a);
    text(b);`
    expect(act(program)).toMatchObject({
      workdir: null,
      changes: [
        { kind: 'change', path: '/p/x.ts' },
        { kind: 'change', path: '/q/y.ts' },
        { kind: 'change', path: '/r/z.ts' },
      ],
    })
  })
})

describe('a program that cannot be read for certain may change any file', () => {
  const run = 'tools.exec_command({cmd:"rm a"})'
  it.each([
    `if (x) await ${run}`,
    `if (x)\n  await ${run}`,
    `if (x) { y() } else\n  await ${run}`,
    `for (const f of files) text(await ${run})`,
    `for (const f of files)\n  await ${run}`,
    `while (x)\nawait ${run}`,
    `x && await ${run}`,
    `x ?\n await ${run} : 0`,
    `x ??= await ${run}`,
    `try { await ${run} } catch {}`,
    `try { x() }\ncatch (e) { await ${run} }`,
    `const f = async () => { await ${run} }`,
    `const f = async () =>\n  await ${run}`,
    `async function f() { await ${run} }\nawait f()`,
    `${run}`,
    `const p = ${run}; await p`,
    `const r = await ${run}.output`,
    `await ${run}.catch(text)`,
    `await Promise.allSettled([${run}])`,
    `await Promise.race([${run}, ${run}])`,
    `await Promise.all(files.map((f) => ${run}))`,
    `await Promise.all([...list, ${run}].slice(1))`,
    `exit(); await ${run}`,
    `if (x) exit()\nawait ${run}`,
    'const t = tools; await t.exec_command({cmd:"rm a"})',
    'const { exec_command } = tools; await exec_command({cmd:"rm a"})',
    'await tools["exec_command"]({cmd:"rm a"})',
    'await tools?.exec_command({cmd:"rm a"})',
    'await globalThis["too" + "ls"].exec_command({cmd:"rm a"})',
    'await eval("too" + "ls").exec_command({cmd:"rm a"})',
    'text(`${await tools.exec_command({cmd:"rm a"})}`)',
    'const r = await tools.exec_command({cmd:"rm " + name}); text(r)',
    'let cmd = "ls"; cmd = "rm a"; await tools.exec_command({cmd})',
    'const input = {cmd:"ls"}; input.cmd = "rm a"; await tools.exec_command(input)',
    'const names = ["a"]; await tools.exec_command({cmd: `rm ${names}`})',
    'await tools.exec_command({...input, cmd:"ls"})',
    'await tools.apply_patch(load("patch"))',
    'await tools.write_stdin({session_id: 1, chars: "rm a\\n"})',
    `const { a = await ${run} } = x`,
    `const [a = await ${run}] = x`,
    `await tools.exec_command({cmd:"rm a"`,
    `/* await ${run}`,
    'await tools.exec_command({cmd:"unfinished',
  ])('%s', (program) => {
    const action = act(program)
    expect(action.changes).toContainEqual(unknown)
    expect(action.reads.some(({ exact }) => exact)).toBe(false)
  })
})

describe('a program', () => {
  it('without tools changes nothing', () => {
    expect(act('text(ALL_TOOLS.map((t) => t.name).join("\\n"))').changes).toEqual([])
    expect(act('const a = 4 / 2; text(a / 2)').changes).toEqual([])
  })

  it('that still runs may change any file until it ends', () => {
    const action = actionOf({ tool: 'wait', text: '{"cell_id":"7"}' })
    expect(action).toMatchObject({ kind: 'shell', continues: true, changes: [unknown] })
    expect(actionOf({ tool: 'wait', text: '{"seconds":7}' })).toEqual({ kind: 'other' })
  })

  it('ignores conditions that do not decide about a call', () => {
    const program =
      'const r = await tools.exec_command({cmd:"rm a"});\nif (r.exit_code !== 0) throw new Error(r.output);\nconst s = await tools.exec_command({cmd:"cat b"});\ntext(s.output);'
    expect(act(program)).toMatchObject({
      reads: [{ path: 'b', exact: true }],
      changes: [{ kind: 'change', path: 'a' }],
    })
  })

  it('knows a regular expression from a division', () => {
    const program = `if (x) /'/.test(y); await tools.exec_command({cmd:"rm a"}) //'`
    expect(act(program).changes).toEqual([{ kind: 'change', path: 'a' }])
  })

  it('never throws, whatever it says', () => {
    const piece = fc.constantFrom(
      ...['tools', '.exec_command(', '{cmd:"a"}', ')', 'await ', 'text(', '`', '${', '}', '[', ']'],
      ...[
        'const r = ',
        ';',
        '\n',
        '"',
        "'",
        '\\',
        '/',
        '/*',
        '//',
        'Promise.all([',
        '=>',
        'r.output',
      ],
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (pieces) => {
        expect(act(`await ${pieces.join('')}`).kind).toBe('shell')
      }),
    )
  })
})
