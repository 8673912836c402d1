import { claudeCodeReader } from './claude-code/reader.ts'
import { codexReader } from './codex/reader.ts'
import { copilotCliReader } from './copilot-cli.ts'
import { geminiCliReader } from './gemini-cli.ts'
import { miniSweAgentReader } from './mini-swe-agent.ts'
import { openCodeExportReader } from './opencode-export.ts'
import { openCodeStorageReader } from './opencode-storage.ts'
import { piReader } from './pi.ts'
import type { RecordingReader } from './recording.ts'
import { sweAgentReader } from './swe-agent.ts'

/** All formats, in the order in which detection tries them. */
export const recordingReaders: readonly RecordingReader[] = [
  claudeCodeReader,
  codexReader,
  copilotCliReader,
  piReader,
  openCodeExportReader,
  openCodeStorageReader,
  geminiCliReader,
  sweAgentReader,
  miniSweAgentReader,
]
