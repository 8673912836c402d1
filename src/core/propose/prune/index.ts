import type { StrategyFactory } from '../strategy.ts'
import { admission } from './admission.ts'
import { reminderSupersede, skillListings, skillTexts } from './client-texts.ts'
import { compressEdits } from './compress-edits.ts'
import { purgeErrors, truncateOldErrors } from './errors.ts'
import { pruneFiles } from './files.ts'
import { largeOutputs } from './large-outputs.ts'
import { oldInputs } from './old-inputs.ts'
import { recentOnly } from './recent-only.ts'
import { pruneReplacedText } from './replaced-text.ts'
import { retention } from './retention.ts'
import { pruneStepMarkers } from './step-markers.ts'
import { pruneThinking } from './thinking.ts'
import { pruneUserCodeBlocks } from './user-code-blocks.ts'

/** In the order in which they run, after everything that supersedes. */
export const pruneStrategies: readonly StrategyFactory[] = [
  purgeErrors,
  truncateOldErrors,
  admission,
  retention,
  pruneReplacedText,
  oldInputs,
  largeOutputs,
  pruneThinking,
  reminderSupersede,
  skillListings,
  skillTexts,
  pruneStepMarkers,
  pruneFiles,
  pruneUserCodeBlocks,
  recentOnly,
  compressEdits,
]
