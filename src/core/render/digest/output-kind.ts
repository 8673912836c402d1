import type { Output } from './output.ts'
import type { DigestKind, DigestLimits } from './source.ts'

/** One kind of output: how it is recognised, and what of it is shown. */
export interface OutputKind {
  readonly kind: DigestKind
  /** The most that `fits` gives: nobody asks where another one fits as well already. */
  readonly bestFit: number
  /** From 0, certainly not, to 1, certainly. The kind that fits best is taken; below 0.5 none is. */
  fits(output: Output): number
  digest(output: Output, limits: DigestLimits): string
}
