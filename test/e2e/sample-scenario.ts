import type { ModelTurn, Operation, TaskEntry } from '../model/scenario.ts'

/** What the user asks, one after the other. */
export const samplePrompts = [
  'Three tests fail in this project. Find out why, repair the code, and leave the tests as they are.',
  'Good. The README promises `--by month`, but it does not work. Add it, with a test, and write down what changed.',
] as const

const read = (path: string, offset?: number, limit?: number): Operation => ({
  kind: 'read',
  path: `{project}/${path}`,
  ...(offset === undefined ? {} : { offset }),
  ...(limit === undefined ? {} : { limit }),
})

const edit = (path: string, before: string, after: string): Operation => ({
  kind: 'edit',
  path: `{project}/${path}`,
  old: before,
  new: after,
})

const bash = (command: string): Operation => ({ kind: 'bash', command })

const tasks = (list: Readonly<Record<string, TaskEntry['status']>>): Operation => ({
  kind: 'todo',
  items: Object.entries(list).map(([content, status]) => ({ content, status })),
})

const repairTurns: readonly ModelTurn[] = [
  {
    text: 'I look around first.',
    reasoning: 'Three failing tests. Before I run anything I want to know what there is.',
    operations: [{ kind: 'glob', pattern: '**/*.js' }, read('README.md')],
  },
  { operations: [bash('npm test')] },
  {
    text: 'Two in the CSV reader, one in the amounts.',
    reasoning:
      'Doubled quotes are not read, and -0.50 loses its sign. formatRows fails for the first reason.',
    operations: [
      tasks({
        'Read doubled quotes in quoted fields': 'in_progress',
        'Keep the sign of amounts below one': 'pending',
        'Run all tests and the program on data/household.csv': 'pending',
      }),
    ],
  },
  { operations: [read('src/csv.js'), read('test/csv.test.js')] },
  {
    operations: [
      { kind: 'grep', pattern: 'readQuotedField|readPlainField', path: '{project}/src' },
    ],
  },
  {
    text: 'A quote inside a quoted field ends it, whatever follows.',
    operations: [
      edit(
        'src/csv.js',
        `      if (char === '"') {
        position += 1
        return value + readPlainField()
      }`,
        `      if (char === '"' && source[position + 1] !== '"') {
        position += 1
        return value + readPlainField()
      }`,
      ),
    ],
  },
  {
    reasoning:
      'The text was not found: the variable is called differently. I look at these lines again.',
    operations: [read('src/csv.js', 52, 22)],
  },
  {
    operations: [
      edit(
        'src/csv.js',
        `      if (character === '"') {
        position += 1
        return value + readPlainField()
      }`,
        `      if (character === '"') {
        if (source[position + 1] !== '"') {
          position += 1
          return value + readPlainField()
        }
        // A doubled quote stands for one: skip the first, keep the second.
        position += 1
      }`,
      ),
    ],
  },
  { operations: [bash('node --test test/csv.test.js')] },
  {
    text: 'The CSV reader is right now.',
    operations: [
      tasks({
        'Read doubled quotes in quoted fields': 'completed',
        'Keep the sign of amounts below one': 'in_progress',
        'Run all tests and the program on data/household.csv': 'pending',
      }),
    ],
  },
  { operations: [read('src/money.js'), read('test/money.test.js')] },
  {
    reasoning:
      'Number("-0") is -0, and -0 < 0 is false. So the cents are added with the wrong sign.',
    operations: [
      edit(
        'src/money.js',
        '  const amount = units < 0 ? units * 100 - cents : units * 100 + cents',
        "  const amount = sign === '-' ? -(units * 100 + cents) : units * 100 + cents",
      ),
    ],
  },
  { operations: [bash('node --test test/money.test.js')] },
  {
    text: 'Now -3.20 is wrong: the sign is still in `units`, so it is applied twice.',
    operations: [read('src/money.js', 14, 18)],
  },
  {
    operations: [
      edit(
        'src/money.js',
        `  const units = Number(\`\${sign ?? ''}\${whole.replaceAll(',', '')}\`)\n`,
        "  const units = Number(whole.replaceAll(',', ''))\n",
      ),
    ],
  },
  { operations: [bash('node --test test/money.test.js')] },
  { operations: [read('src/money.js')] },
  { operations: [bash('npm test'), bash('node bin/tally.js data/household.csv')] },
  {
    reasoning:
      'Everything passes. I check the quoted payee and the returned deposits in the data as well.',
    operations: [
      bash('grep -n "deposit returned" data/household.csv'),
      bash('node bin/tally.js data/household.csv --by payee --top 3'),
      bash('cat data/household.csv'),
    ],
  },
  {
    operations: [
      tasks({
        'Read doubled quotes in quoted fields': 'completed',
        'Keep the sign of amounts below one': 'completed',
        'Run all tests and the program on data/household.csv': 'completed',
      }),
    ],
  },
  {
    text:
      'All tests pass. A doubled quote ended a quoted field too early (`src/csv.js`), and amounts between -1 and 0 ' +
      'lost their sign because `-0 < 0` is false (`src/money.js`).',
  },
]

const monthTurns: readonly ModelTurn[] = [
  {
    text: 'I start with what is there.',
    operations: [
      tasks({
        'Group by month': 'in_progress',
        'Offer it on the command line': 'pending',
        'Add a test': 'pending',
        'Write down what changed': 'pending',
      }),
      read('src/summary.js'),
      read('src/options.js'),
    ],
  },
  { operations: [bash('node bin/tally.js data/household.csv --by month')] },
  { operations: [{ kind: 'grep', pattern: 'groupings', path: '{project}' }] },
  {
    operations: [
      edit(
        'src/summary.js',
        '  payee: (expense) => expense.payee,\n}',
        '  payee: (expense) => expense.payee,\n  month: (expense) => expense.date.slice(0, 7),\n}',
      ),
      edit('src/options.js', '[--by category|payee]', '[--by category|payee|month]'),
    ],
  },
  { operations: [bash('node bin/tally.js data/household.csv --by month')] },
  {
    text: 'It works, but months should stand in their own order, not by size.',
    reasoning: 'The sort is in summarise. Let me see it again after the edit.',
    operations: [read('src/summary.js')],
  },
  {
    operations: [
      edit(
        'src/summary.js',
        '  const sorted = [...groups.values()].sort(bySum)',
        "  const sorted = [...groups.values()].sort(by === 'month' ? byName : bySize)",
      ),
    ],
  },
  { operations: [read('src/summary.js', 52, 34)] },
  {
    operations: [
      edit(
        'src/summary.js',
        '  const sorted = [...groups.values()].sort(bySize)',
        "  const sorted = [...groups.values()].sort(by === 'month' ? byName : bySize)",
      ),
    ],
  },
  { operations: [bash('node bin/tally.js data/household.csv --by month')] },
  {
    text: '`byName` is missing.',
    operations: [
      edit(
        'src/summary.js',
        '  if (left.cents !== right.cents) return right.cents - left.cents\n  return left.name < right.name ? -1 : 1\n}',
        '  if (left.cents !== right.cents) return right.cents - left.cents\n  return byName(left, right)\n}\n\n' +
          'function byName(left, right) {\n  return left.name < right.name ? -1 : 1\n}',
      ),
    ],
  },
  {
    operations: [
      bash('node bin/tally.js data/household.csv --by month'),
      tasks({
        'Group by month': 'completed',
        'Offer it on the command line': 'completed',
        'Add a test': 'in_progress',
        'Write down what changed': 'pending',
      }),
    ],
  },
  { operations: [read('test/summary.test.js')] },
  {
    operations: [
      edit(
        'test/summary.test.js',
        "  it('folds the rest', () => {",
        `  it('keeps months in their order', () => {
    const { groups } = summarise(expenses, { by: 'month' })
    assert.deepEqual(
      groups.map(({ name, cents }) => [name, cents]),
      [
        ['2026-02', 93125],
        ['2026-01', 450],
      ],
    )
  })

  it('folds the rest', () => {`,
      ),
    ],
  },
  { operations: [bash('npm test')] },
  {
    reasoning: 'My expectation is in the wrong order, the code is right.',
    operations: [read('test/summary.test.js', 50, 24)],
  },
  {
    operations: [
      edit(
        'test/summary.test.js',
        "        ['2026-02', 93125],\n        ['2026-01', 450],\n",
        "        ['2026-01', 450],\n        ['2026-02', 93125],\n",
      ),
    ],
  },
  { operations: [bash('npm test'), bash('npm run lint')] },
  {
    text: 'There is no linter here. I read the changed files once more.',
    operations: [
      read('src/summary.js'),
      read('src/options.js'),
      bash('cat src/money.js && sed -n "50,80p" src/csv.js'),
    ],
  },
  {
    operations: [
      {
        kind: 'write',
        path: '{project}/CHANGELOG.md',
        content:
          '# Changes\n\n## 0.4.0\n\n- `--by month` groups by month, in the order of the calendar.\n' +
          '- Doubled quotes in quoted fields are read as one quote.\n- Amounts between -1 and 0 keep their sign.\n',
      },
      edit('package.json', '"version": "0.3.0"', '"version": "0.4.0"'),
    ],
  },
  {
    operations: [
      bash('git diff'),
      bash('git show --format=%s HEAD -- src test'),
      read('README.md'),
    ],
  },
  { operations: [bash('npm test'), bash('git status --short')] },
  {
    operations: [
      tasks({
        'Group by month': 'completed',
        'Offer it on the command line': 'completed',
        'Add a test': 'completed',
        'Write down what changed': 'completed',
      }),
    ],
  },
  {
    text:
      '`--by month` works and keeps the order of the calendar. There is a test for it, and CHANGELOG.md says what ' +
      'changed in 0.4.0.',
  },
]

/** All answers of the sample session: two tasks, more than fifty calls. */
export const sampleTurns: readonly ModelTurn[] = [...repairTurns, ...monthTurns]
