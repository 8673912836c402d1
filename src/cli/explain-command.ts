import { Command } from 'commander'
import { nearest } from '../config/nearest.ts'
import { type ExplainedItem, type Explainer, explainerFor, explainItem } from '../replay/explain.ts'
import { sessionFor } from '../replay/recorded-session.ts'
import { chosenConfig, configOption, presetOption } from './chosen-config.ts'
import { explainLines } from './explain-lines.ts'
import { openTarget, targetArgument, targetStoreOption } from './recording-target.ts'
import { reportProblems } from './report-problems.ts'
import { type Terminal, writeContent, writeJson, writeNotice, writeResult } from './terminal.ts'

interface ExplainOptions {
  readonly preset?: string
  readonly config?: string
  readonly store?: string
  readonly original?: true
  readonly json?: true
}

/** Calls `finish` with exit code 1 when no item has the handle. */
export function explainCommand(terminal: Terminal, finish: (code: 0 | 1) => void): Command {
  return targetArgument(new Command('explain'))
    .description(
      'explain one item: when it was shown, what replaced it and why, how to get it back',
    )
    .argument(
      '<handle>',
      "the item's handle: six or more hex digits from its placeholder or a trace",
    )
    .option(...presetOption)
    .option(...configOption)
    .option(...targetStoreOption)
    .option('--original', 'print only the original item')
    .option('--json', 'print one JSON value: {item, spans, replacedBy, replaces, restore}')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest explain session.jsonl a1b2c3
  palimpsest explain session.jsonl a1b2c3 --preset acp --json
  palimpsest explain session.jsonl a1b2c3 --original > app.ts`,
    )
    .action(async (file: string, given: string, options: ExplainOptions) => {
      const config = chosenConfig(terminal, options)
      const { recordings, problems } = await openTarget(terminal, file, options)
      reportProblems(terminal, file, problems)
      const handle = given.trim().toLowerCase()
      const known: string[] = []
      for (const recording of recordings) {
        const session = sessionFor(recording, { config })
        const explainer = explainerFor(recording, session, { mappings: config.toolMappings })
        const explained = explainItem(explainer, handle)
        if (explained !== null) {
          await print(terminal, explainer, explained, options)
          return
        }
        known.push(...explainer.lives.handles())
      }
      const close = nearest(handle, known)
      if (options.json) {
        await writeJson(terminal, { item: null, handle, nearest: close })
      }
      const hint = close === null ? '' : `; the nearest is ${close}`
      writeNotice(terminal, `palimpsest: ${file} has no item ${given}${hint}`)
      finish(1)
    })
}

async function print(
  terminal: Terminal,
  { lives }: Explainer,
  explained: ExplainedItem,
  options: ExplainOptions,
): Promise<void> {
  if (options.original) {
    await writeContent(terminal, lives.find(explained.item.handle)?.text ?? '')
    return
  }
  await writeResult(terminal, options, explained, explainLines(explained, terminal))
}
