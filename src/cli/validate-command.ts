import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { errorMessage, PalimpsestError } from '../core/words/errors.ts'
import type { BodyFormatName, ValidateOptions, Violation } from '../formats/format.ts'
import { bodyFormats } from '../formats/index.ts'
import { type Terminal, writeResult } from './terminal.ts'

const formatNames = Object.keys(bodyFormats)

/**
 * The provider's rules that the request in a file breaks. A file that is not JSON breaks one.
 *
 * @throws PalimpsestError with code `unreadable` when the file cannot be read.
 */
export async function validateFile(
  file: string,
  format: BodyFormatName,
  options: ValidateOptions = {},
): Promise<readonly Violation[]> {
  let body: Uint8Array<ArrayBuffer>
  try {
    body = await readFile(file)
  } catch (cause) {
    const reason = errorMessage(cause)
    throw new PalimpsestError('unreadable', `${file} cannot be read: ${reason}`, { cause })
  }
  return bodyFormats[format].validate(body, options)
}

interface ValidateCommandOptions {
  readonly format: string
  readonly model?: string
  readonly json?: true
}

/** Calls `finish` with exit code 1 when the request breaks a rule. */
export function validateCommand(terminal: Terminal, finish: (code: 0 | 1) => void): Command {
  return new Command('validate')
    .description('check a request body against the rules of its provider')
    .argument('<file>', 'the body of one request, as it goes over the wire')
    .requiredOption('--format <name>', `the wire shape: ${formatNames.join(', ')}`)
    .option('--model <name>', 'the model, when the body does not name it or to try another one')
    .option('--json', 'print the violations as one JSON list: [{rule, where, message}]')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest validate body.json --format anthropic
  palimpsest validate body.json --format gemini --model gemini-3-pro-preview`,
    )
    .action(async (file: string, { format, model, json }: ValidateCommandOptions) => {
      if (!isBodyFormatName(format)) {
        const message = `--format ${format} is not known; use one of: ${formatNames.join(', ')}`
        throw new PalimpsestError('usage', message)
      }
      const violations = await validateFile(file, format, model === undefined ? {} : { model })
      const lines = violationLines(violations, terminal)
      await writeResult(terminal, { json }, violations, lines)
      finish(violations.length === 0 ? 0 : 1)
    })
}

function isBodyFormatName(name: string): name is BodyFormatName {
  return Object.hasOwn(bodyFormats, name)
}

function violationLines(violations: readonly Violation[], { colors }: Terminal): readonly string[] {
  if (violations.length === 0) return ['no violations']
  return violations.flatMap(({ rule, where, message }) => [
    `${colors.bold(rule)}${where === '' ? '' : `  ${where}`}`,
    `  ${message}`,
  ])
}
