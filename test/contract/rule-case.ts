import type { BodyFormatName } from '../../src/formats/format.ts'

/** A request that breaks one rule and nothing else, and its twin that keeps it. */
export interface RequestCase {
  readonly scope: 'request'
  readonly rule: string
  readonly model?: string
  /** An object is sent as its JSON. */
  readonly broken: unknown
  readonly kept: unknown
  readonly where: string
  /** What the provider says, word for word. */
  readonly message: string
}

/** A change that breaks one rule and nothing else, and its twin that keeps it. */
export interface ChangeCase {
  readonly scope: 'change'
  readonly rule: string
  readonly model?: string
  readonly before: unknown
  readonly broken: unknown
  readonly kept: unknown
  readonly where: string
  readonly message: string
}

export type RuleCase = RequestCase | ChangeCase

export function bodyOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function formatOf(rule: string): BodyFormatName {
  return rule.slice(0, rule.indexOf('/')) as BodyFormatName
}
