import { createUnderstanding } from '../../src/actions/understand.ts'
import { presets } from '../../src/config/presets.ts'
import { digest } from '../../src/core/render/digest/digest.ts'
import { firstSightLimits } from '../../src/core/render/digest/digest-types.ts'
import type { DigestCase } from './digest-case.ts'

/** As under the default preset. */
const { wholeChars } = presets.balanced.admission

/** The digest under test; null when the output is shown whole. */
export function digestOf({ command, status, text, request }: DigestCase): string | null {
  const tool = 'bash'
  const action = createUnderstanding({ cwd: '/repo' }).action({
    tool,
    text: JSON.stringify({ command }),
  })
  const source = { text, tool, action, status: statusOf(status), request }
  const limits = { leastChars: wholeChars, recall: 'context_restore d1635c' }
  return digest(source, firstSightLimits(text.length, limits))
}

const statusOf = (status: DigestCase['status']): 'ok' | 'error' =>
  status === 'completed' ? 'ok' : 'error'
