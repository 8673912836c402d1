import { Command } from 'commander'
import { parseDuration } from '../config/quantities.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { newToken } from '../gateway/tokens/token-text.ts'
import type { OwnerStatistics, StoredToken } from '../store/index.ts'
import { type SetupOptions, withStore, withStoreOptions } from './chosen-store.ts'
import { money, short } from './figures.ts'
import type { ExitCode } from './program.ts'
import { type Terminal, writeJson, writeLines, writeResult } from './terminal.ts'

interface TokenOptions extends SetupOptions {
  readonly expires?: string
  readonly json?: true
}

const validName = /^[\w.@-]{1,64}$/

export function tokenCommand(terminal: Terminal, finish: (code: ExitCode) => void): Command {
  const command = new Command('token')
    .description('create, list and revoke the tokens of people on a shared gateway')
    .addHelpText(
      'after',
      `
With a named token, people see their own sessions only. Agents send it as the header x-palimpsest-token.

Examples:
  palimpsest token create ana --expires 90d --store postgres://gateway@db/team
  palimpsest token list
  palimpsest token revoke ana`,
    )
  for (const each of [
    createCommand(terminal),
    listCommand(terminal),
    revokeCommand(terminal, finish),
  ])
    command.addCommand(each)
  return command
}

function createCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('create'))
    .description('create a token and print it once; the store keeps only its hash')
    .argument('<name>', 'its owner; several tokens with one name see the same sessions')
    .option('--expires <time>', 'the token expires after this time: 90d, 12h')
    .option('--json', 'print one JSON value: {token, id, name, expiresAt}')
    .addHelpText('after', '\nExamples:\n  palimpsest token create ana --expires 90d')
    .action(async (name: string, options: TokenOptions) => {
      if (!validName.test(name))
        throw new PalimpsestError(
          'usage',
          `"${name}" is not a valid name: use up to 64 letters, digits, dots, dashes, _ and @`,
        )
      const createdAt = terminal.now()
      const { expires } = options
      const expiresAt = expires === undefined ? null : createdAt + parseDuration(expires)
      const { id, text, hash } = newToken()
      await withStore(
        terminal,
        options,
        ({ team }) => team.addToken({ id, name, hash, createdAt, expiresAt, revokedAt: null }),
        { absent: 'make', whole: true },
      )
      if (options.json) {
        await writeJson(terminal, { token: text, id, name, expiresAt })
        return
      }
      const until = expiresAt === null ? '' : ` It expires ${dateOf(expiresAt)}.`
      await writeLines(terminal.out, [
        text,
        '',
        `This is the only time that the token is shown.${until} How agents send it:`,
        `  Claude Code   ANTHROPIC_CUSTOM_HEADERS="x-palimpsest-token: ${text}"`,
        `  Codex         http_headers = { "x-palimpsest-token" = "${text}" }   (of its model provider)`,
        `  OpenCode      "options": {"headers": {"x-palimpsest-token": "${text}"}}   (of the provider)`,
        `  the dashboard ?palimpsest-token=${text} after the gateway's address`,
      ])
    })
}

function listCommand(terminal: Terminal): Command {
  return withStoreOptions(new Command('list'))
    .description('list the tokens, and what was sent with them')
    .option('--json', 'print one JSON value: {tokens, owners}')
    .addHelpText('after', '\nExamples:\n  palimpsest token list --json')
    .action(async (options: TokenOptions) => {
      const { tokens, owners } = await withStore(
        terminal,
        options,
        async ({ team }) => ({
          tokens: (await team.tokens()).map(({ hash: _, ...token }) => token),
          owners: await team.owners(),
        }),
        { whole: true },
      )
      const lines = listLines(tokens, owners, terminal.now())
      await writeResult(terminal, options, { tokens, owners }, lines)
    })
}

function listLines(
  tokens: readonly Omit<StoredToken, 'hash'>[],
  owners: readonly OwnerStatistics[],
  now: number,
): readonly string[] {
  if (tokens.length === 0) return ['no tokens: create one with `palimpsest token create NAME`']
  const names = [
    ...new Set([...tokens, ...owners.map(({ owner: name }) => ({ name }))].map(({ name }) => name)),
  ]
  return names.flatMap((name) => [
    `${name}  ${usedBy(owners.find(({ owner }) => owner === name))}`,
    ...tokens
      .filter((token) => token.name === name)
      .map((token) => `  ${token.id}  created ${dateOf(token.createdAt)}, ${stateOf(token, now)}`),
  ])
}

function usedBy(owner: OwnerStatistics | undefined): string {
  if (owner === undefined) return 'not used yet'
  const { requests = 0, tokensBefore = 0, tokensAfter = 0, savedDollars = 0 } = owner.statistics
  return `${owner.sessions} sessions, ${requests} requests, ${short(tokensBefore)} → ${short(tokensAfter)} tokens, ${money(savedDollars)} saved, last ${dateOf(owner.usedAt)}`
}

function stateOf({ revokedAt, expiresAt }: Omit<StoredToken, 'hash'>, now: number): string {
  if (revokedAt !== null) return `revoked ${dateOf(revokedAt)}`
  if (expiresAt === null) return 'does not expire'
  return expiresAt <= now ? `expired ${dateOf(expiresAt)}` : `expires ${dateOf(expiresAt)}`
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

function revokeCommand(terminal: Terminal, finish: (code: ExitCode) => void): Command {
  return withStoreOptions(new Command('revoke'))
    .description('revoke a token by its id, or all tokens of a name')
    .argument('<name-or-id>', 'as `token list` shows it')
    .option('--json', 'print one JSON value: {revoked}')
    .addHelpText(
      'after',
      '\nEvery gateway of the store refuses the token within two seconds.\n\nExamples:\n  palimpsest token revoke ana',
    )
    .action(async (idOrName: string, options: TokenOptions) => {
      const revoked = await withStore(
        terminal,
        options,
        ({ team }) => team.revokeTokens(idOrName, terminal.now()),
        { whole: true },
      )
      if (revoked.length === 0) finish(1)
      const ids = revoked.map(({ id, name }) => ({ id, name }))
      const lines =
        ids.length === 0
          ? [`no valid token has the name or id ${idOrName}`]
          : ids.map(({ id, name }) => `revoked ${id} of ${name}`)
      await writeResult(terminal, options, { revoked: ids }, lines)
    })
}
