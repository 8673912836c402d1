import type { Scenario } from '../model/scenario.ts'
import type { PlannedFile } from './plan.ts'

const counter = `// Counts words in a text.
export function countWords(text) {
  return text.split(' ').length
}

export function countLines(text) {
  return text.split('\\n').length
}
`

const report = `import { countLines, countWords } from './counter.js'

export function report(text) {
  return \`\${countLines(text)} lines, \${countWords(text)} words\`
}
`

const check = `import { report } from './src/report.js'

const seen = report('one  two\\nthree')
console.log(seen)
if (seen !== '2 lines, 3 words') {
  console.error('expected 2 lines, 3 words')
  process.exit(1)
}
console.log('ok')
`

const notes = Array.from(
  { length: 180 },
  (_, index) => `${index + 1}. note about counting, “kept” as is ✓`,
)

/** A project with a mistake in it. */
export function repairProject(folder: string): readonly PlannedFile[] {
  return [
    { path: `${folder}/package.json`, text: '{ "type": "module", "private": true }\n' },
    { path: `${folder}/src/counter.js`, text: counter },
    { path: `${folder}/src/report.js`, text: report },
    { path: `${folder}/check.js`, text: check },
    { path: `${folder}/notes.md`, text: `${notes.join('\n')}\n` },
  ]
}

export const repairPrompt =
  'The word counter is wrong when spaces are doubled. Repair it and run check.js.'

/** What the repaired file holds, once a client has really applied the edits. */
export const repairedLine = 'return text.trim().split(/\\s+/).length'

export const closingWords = 'The counter is repaired and the check passes.'

/** Sixteen steps of tools and a closing answer; every client can walk them, whatever its tools are called. */
export function repairScenario(folder: string): Scenario {
  const counterPath = `${folder}/src/counter.js`
  const reportPath = `${folder}/src/report.js`
  const tasks = (...statuses: readonly ('pending' | 'in_progress' | 'completed')[]) => ({
    kind: 'todo' as const,
    items: ['Find the mistake', 'Repair the counter', 'Run the check'].map((content, index) => ({
      content,
      status: statuses[index] ?? 'pending',
    })),
  })
  return {
    aux: 'Repair the word counter',
    last: 'There is nothing left to do.',
    turns: [
      {
        text: 'I begin with a plan.',
        reasoning: 'Three steps: find, repair, check.',
        operations: [tasks('in_progress')],
      },
      {
        reasoning: 'Both files matter.',
        operations: [
          { kind: 'read', path: counterPath },
          { kind: 'read', path: reportPath },
        ],
      },
      {
        text: 'Who calls it?',
        operations: [{ kind: 'grep', pattern: 'countWords', path: folder }],
      },
      { reasoning: 'See it fail first.', operations: [{ kind: 'bash', command: 'node check.js' }] },
      { operations: [{ kind: 'read', path: `${folder}/notes.md`, offset: 40, limit: 30 }] },
      {
        reasoning: 'Splitting at one space is the mistake.',
        operations: [
          {
            kind: 'edit',
            path: counterPath,
            old: "  return text.split(' ').length",
            new: `  ${repairedLine}`,
          },
        ],
      },
      {
        text: 'The comment should say it too.',
        operations: [
          {
            kind: 'edit',
            path: counterPath,
            old: '// Counts characters.',
            new: '// Counts words, however far apart.',
          },
        ],
      },
      { reasoning: 'That text was not there.', operations: [{ kind: 'read', path: counterPath }] },
      {
        operations: [
          {
            kind: 'edit',
            path: counterPath,
            old: '// Counts words in a text.',
            new: '// Counts words, however far apart.',
          },
        ],
      },
      { operations: [{ kind: 'bash', command: 'node check.js' }] },
      { reasoning: 'It passes.', operations: [tasks('completed', 'completed', 'in_progress')] },
      { operations: [{ kind: 'glob', pattern: '**/*.js' }] },
      {
        operations: [
          {
            kind: 'write',
            path: `${folder}/src/version.js`,
            content: "export const version = '1.0.1'\n",
          },
        ],
      },
      {
        text: 'A last look at both files.',
        operations: [
          { kind: 'read', path: counterPath },
          { kind: 'bash', command: 'cat src/report.js && git status --short' },
        ],
      },
      {
        reasoning: 'And a long list.',
        operations: [{ kind: 'bash', command: 'seq -f "line %g of output" 1 900' }],
      },
      { operations: [tasks('completed', 'completed', 'completed')] },
      { text: closingWords },
    ],
  }
}
