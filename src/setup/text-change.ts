import { PalimpsestError } from '../core/words/errors.ts'
import { type JsonUndo, withJson, withoutJson } from './json-edit.ts'
import { withBlock, withoutBlocks } from './marked-block.ts'
import { withTomlValue } from './toml-edit.ts'
import { withYamlValue, type YamlValue } from './yaml-edit.ts'

/** A change to the text of a configuration file. It is data, so that a later process can take it back. */
export type TextChange =
  /** A block of lines between two comments of ours. */
  | { readonly kind: 'block'; readonly lines: readonly string[]; readonly at: 'start' | 'end' }
  /** Values of a JSON file. */
  | { readonly kind: 'json'; readonly values: readonly JsonUndo[]; readonly isMarked: boolean }
  /** A string that stands in a TOML file already. */
  | {
      readonly kind: 'toml'
      readonly table: string
      readonly key: string
      readonly was: string
      readonly value: string
    }
  /** A string of a map in a YAML file. */
  | ({ readonly kind: 'yaml' } & YamlValue)
  /** A file of our own. */
  | { readonly kind: 'whole'; readonly text: string }

/** @throws PalimpsestError with code `configuration` for a text that cannot be changed so. */
export function applyChange(text: string, change: TextChange, file: string): string {
  switch (change.kind) {
    case 'block':
      return withBlock(text, change.lines, change)
    case 'json':
      return withJson(text, change.values, { file, isMarked: change.isMarked })
    case 'toml': {
      const changed = withTomlValue(text, change)
      if (changed !== null) return changed
      throw new PalimpsestError(
        'configuration',
        `${file}: ${change.key} of [${change.table}] is not written as one line of its own. Set it to "${change.value}" by hand.`,
      )
    }
    case 'yaml': {
      const changed = withYamlValue(text, change)
      if (changed !== null) return changed
      throw new PalimpsestError(
        'configuration',
        `${file}: ${[...change.path, change.key].join('.')} is not written on a line of its own. Set it to ${change.value} by hand.`,
      )
    }
    case 'whole':
      return change.text
  }
}

/**
 * Takes a change back from a file that the user has edited in the same place. null: nothing of the file is left.
 *
 * @param original the file's text before the change.
 */
export function revertChange(text: string, change: TextChange, original: string): string | null {
  switch (change.kind) {
    case 'block':
      return withoutBlocks(text)
    case 'json':
      return withoutJson(text, change.values, original)
    case 'toml':
      return withTomlValue(text, { ...change, value: change.was, was: change.value }) ?? text
    case 'yaml':
      return withYamlValue(text, { ...change, value: change.was, was: change.value }) ?? text
    case 'whole':
      return null
  }
}
