import path from 'node:path'
import { Command } from 'commander'
import { requestsOf } from '../config/load.ts'
import {
  keepAnswer,
  printable,
  revokeTrust,
  type TrustAnswer,
  trustAnswers,
  untrustedWarning,
} from '../config/trusted-folders.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { answerOf } from './ask-for-trust.ts'
import type { ExitCode } from './program.ts'
import { type Terminal, writeJson, writeLines, writeNotice } from './terminal.ts'

interface TrustOptions {
  readonly list?: true
  readonly revoke?: true
  readonly json?: true
}

export function trustCommand(terminal: Terminal, finish: (code: ExitCode) => void): Command {
  return new Command('trust')
    .description("allow a folder's configuration to set what a project may not set by itself")
    .argument('[folder]', 'the folder with the configuration; default: this folder')
    .option('--list', 'list the folders that you allowed or refused')
    .option('--revoke', 'forget the answer')
    .option('--json', 'print one JSON value: [{file, folder, keys, trusted, at}]')
    .addHelpText(
      'after',
      `
A project's palimpsest.jsonc may protect more content and choose how its own conversations are pruned. Stores, upstreams,
memory, prices and notifications come from your own configuration, unless you trust the folder. A file that changes these
keys later must be trusted again.

Examples:
  palimpsest trust
  palimpsest trust ~/work/api
  palimpsest trust --list
  palimpsest trust ~/work/api --revoke`,
    )
    .action(async (folder: string | undefined, options: TrustOptions) => {
      const { home } = terminal
      if (home === undefined)
        throw new PalimpsestError('usage', 'no folder to store the answer in: set HOME')
      const meant = path.resolve(terminal.cwd, folder ?? '.')
      if (options.list) return print(trustAnswers(home), 'no folder is trusted', options)
      if (options.revoke) {
        const revoked = revokeTrust(home, meant)
        if (revoked.length === 0) finish(1)
        return print(revoked, `${meant} was not trusted`, options)
      }
      const requests = requestsOf(meant, home)
      const foreign = requests.filter(({ isForeign }) => isForeign)
      for (const request of foreign)
        writeNotice(terminal, `palimpsest: ${untrustedWarning(request)}`)
      if (foreign.length > 0) finish(1)
      const answers = requests
        .filter(({ isForeign }) => !isForeign)
        .map((request) => answerOf(request, true, terminal.now()))
      for (const answer of answers) keepAnswer(home, answer)
      await print(answers, `nothing in ${meant} needs your trust`, options)
    })

  function print(
    answers: readonly TrustAnswer[],
    none: string,
    { json, revoke }: TrustOptions,
  ): Promise<void> {
    if (json) {
      const shown = answers.map(({ hash: _, ...answer }) => answer)
      return writeJson(terminal, shown)
    }
    const lines = answers.map(({ file, keys, trusted }) => {
      const word = revoke ? 'no longer trusted' : trusted ? 'trusted' : 'declined'
      return `${word}: ${printable(file)} (${keys.join(', ')})`
    })
    return writeLines(terminal.out, lines.length === 0 ? [none] : lines)
  }
}
