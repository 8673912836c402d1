import type { ContractCase } from './contract.ts'
import { keepingCases } from './keeping-cases.ts'
import { sessionCases } from './session-cases.ts'
import { sharingCases } from './sharing-cases.ts'

/** What every store promises, whatever is below it. */
export const contractCases: readonly ContractCase[] = [
  ...sessionCases,
  ...sharingCases,
  ...keepingCases,
]
