import type { MemoryKind } from '../item.ts'

/** The headings of the text for a model, in the order in which they are written. */
export const sectionHeadings: Readonly<Record<MemoryKind | 'said', string>> = {
  preference: 'Preferences:',
  fact: 'Facts:',
  decision: 'Decisions:',
  said: 'Said before:',
}

/** Lines below the headings of their sections. A section without lines is left out. */
export function sectionsText(
  lines: readonly { readonly section: string; readonly text: string }[],
): string {
  return Object.entries(sectionHeadings)
    .flatMap(([section, heading]) => {
      const inside = lines.filter((line) => line.section === section)
      return inside.length === 0 ? [] : [[heading, ...inside.map(({ text }) => text)].join('\n')]
    })
    .join('\n\n')
}
