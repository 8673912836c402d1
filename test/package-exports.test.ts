import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

it('exports exactly these names, so that growing the surface is a decision', async () => {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string>
  }
  const surface: Record<string, string[]> = {}
  for (const [subpath, target] of Object.entries(manifest.exports)) {
    if (target.endsWith('.json')) continue
    const entry: Record<string, unknown> = await import(path.join(root, target))
    surface[subpath] = Object.keys(entry).sort()
  }
  expect(surface).toMatchInlineSnapshot(`
    {
      ".": [
        "PalimpsestError",
        "calibrationFrom",
        "createCalibration",
        "createEngine",
        "createLedger",
        "createRecord",
        "createUnderstanding",
        "estimateTokens",
        "fileStateAt",
        "generateChangelog",
        "replacedBy",
        "replacementOf",
        "resolveSettings",
      ],
      "./actions": [
        "actionOf",
        "createPaths",
        "parsePatch",
        "readResult",
      ],
      "./ai-sdk": [
        "aiSdk",
      ],
      "./anthropic": [
        "anthropic",
      ],
      "./config": [
        "createProtection",
        "loadConfig",
        "resolveSettings",
      ],
      "./gemini": [
        "gemini",
      ],
      "./memory": [
        "ContextExtractor",
        "ConversationManager",
        "LocalMemoryStore",
        "Memory",
        "chainOf",
        "checkState",
        "confidenceAt",
        "contextChanges",
        "createInMemoryLog",
        "createModelExtractor",
        "findPatterns",
        "itemsAsOf",
        "keyOfText",
        "memoryContext",
        "observe",
        "observeWith",
        "openPostgresLog",
        "openSqliteLog",
        "searchMemory",
        "statusAt",
      ],
      "./openai-chat": [
        "openaiChat",
      ],
      "./openai-responses": [
        "openaiResponses",
      ],
      "./opencode": [
        "applyInPlace",
        "opencode",
      ],
      "./pi": [
        "default",
        "piExtension",
      ],
      "./recordings": [
        "countRecording",
        "readRecording",
      ],
      "./sdk": [
        "memoryMiddleware",
        "pruneMiddleware",
        "restoreTool",
        "withPalimpsest",
      ],
      "./server": [
        "default",
      ],
      "./store": [
        "addedMessages",
        "createMemoryStore",
        "createSessionWriter",
        "historiesOf",
        "openStore",
        "storeLocation",
      ],
    }
  `)
})
