import type { Output } from './output.ts'
import type { DigestKind, DigestLimits } from './source.ts'

/** One kind of output: how it is recognised, and what of it is shown. */
export interface OutputKind {
  readonly kind: DigestKind
  /** From 0, certainly not, to 1, certainly. The kind that fits best is taken; below 0.5 none is. */
  fits(output: Output): number
  digest(output: Output, limits: DigestLimits): string
}
