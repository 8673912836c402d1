import type { Sheet } from './sheet.ts'
import { functionName, noun, sentence, typeName } from './words.ts'

/** A line of TypeScript that says something. */
export const statement = (sheet: Sheet): string =>
  sheet.pick([
    () => `  const ${noun(sheet)} = ${functionName(sheet)}(${noun(sheet)}, ${noun(sheet)})`,
    () => `  if (${noun(sheet)}.${noun(sheet)} === null) return ${functionName(sheet)}()`,
    () => `  return ${functionName(sheet)}(${noun(sheet)}, { ${noun(sheet)}: ${sheet.below(90)} })`,
    () => `    await this.${noun(sheet)}.${functionName(sheet)}(${noun(sheet)})`,
    () => `  for (const ${noun(sheet)} of ${functionName(sheet)}(${noun(sheet)}s)) {`,
    () => `    ${noun(sheet)}s.push({ ${noun(sheet)}, ${noun(sheet)}: '${noun(sheet)}' })`,
  ])()

/** Any line of a TypeScript file. */
export const codeLine = (sheet: Sheet): string => {
  const kind = sheet.below(12)
  if (kind === 0) return ''
  if (kind === 1) return '  }'
  if (kind === 2) return `  // ${sentence(sheet)}`
  if (kind === 3)
    return `export function ${functionName(sheet)}(${noun(sheet)}: ${typeName(sheet)}): ${typeName(sheet)} {`
  if (kind === 4) return `  readonly ${noun(sheet)}: ${typeName(sheet)} | null`
  return statement(sheet)
}
