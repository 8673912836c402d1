import type { Client, ClientPlace, ClientSetup } from './client.ts'
import { newestFile } from './newest-file.ts'

const model = 'gemini-2.5-pro'

/** Gemini CLI in its prompt mode, with an API key. */
export function geminiCli(version: string): Client {
  const setUp = ({ home }: ClientPlace, ...args: readonly string[]): ClientSetup => ({
    files: [{ path: `${home}/.gemini/settings.json`, text: JSON.stringify(settings) }],
    environment: {
      GEMINI_API_KEY: 'scripted',
      GOOGLE_GEMINI_BASE_URL: '{url}',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_SANDBOX: 'false',
      // It would start itself again in a process with a larger heap.
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
    args: ['-y', '-m', model, ...args],
  })
  return {
    name: `Gemini CLI ${version}`,
    agent: `gemini-cli-${version}`,
    format: 'gemini',
    setUp: (place, prompt) => setUp(place, '-p', prompt),
    resume: (place, prompt) => setUp(place, '--resume', 'latest', '-p', prompt),
    recording: ({ home }) => newestFile(`${home}/.gemini/tmp`, /chats\/session-[^/]*\.jsonl?$/),
  }
}

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { disableAutoUpdate: true, disableUpdateNag: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  // After thirty turns it would ask the model whether it goes round in circles.
  model: { disableLoopDetection: true },
}
