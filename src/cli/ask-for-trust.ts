import { loadConfig } from '../config/load.ts'
import {
  keepAnswer,
  printable,
  type TrustAnswer,
  type TrustRequest,
  untrustedWarning,
} from '../config/trusted-folders.ts'
import { PalimpsestError } from '../core/words/errors.ts'
import { type Terminal, writeNotice } from './terminal.ts'

/**
 * When a project's configuration sets keys that a project may not set, asks the person at the terminal once. Without a
 * terminal it warns that the keys are ignored.
 */
export async function askForTrust(
  terminal: Terminal,
  { config, mayAsk }: { readonly config: string | undefined; readonly mayAsk: boolean },
): Promise<void> {
  for (const request of requestsHere(terminal, config)) {
    const { home, ask } = terminal
    if (!mayAsk || ask === undefined || home === undefined || request.isForeign) {
      writeNotice(terminal, `palimpsest: ${untrustedWarning(request)}`)
      continue
    }
    const trusted = await ask(questionOf(request))
    if (trusted === null) continue
    try {
      keepAnswer(home, answerOf(request, trusted, terminal.now()))
    } catch (error) {
      if (!PalimpsestError.is(error)) throw error
      writeNotice(terminal, `palimpsest: ${error.message}`)
    }
  }
}

function requestsHere(terminal: Terminal, config: string | undefined): readonly TrustRequest[] {
  try {
    return loadConfig({ ...terminal, config }).untrusted ?? []
  } catch (error) {
    // The command reads the same files and reports the error.
    if (PalimpsestError.is(error)) return []
    throw error
  }
}

export function answerOf(
  { file, folder, keys, hash }: TrustRequest,
  trusted: boolean,
  now: number,
): TrustAnswer {
  return { file, folder, keys, hash, trusted, at: new Date(now).toISOString() }
}

function questionOf({ file, keys }: TrustRequest): string {
  return `${printable(file)} sets ${keys.join(', ')}, which a project may not set by itself.\nDo you trust this folder? [y/N] `
}
