import type { Marked, Program, Row, Run, Sheet } from '../sheet.ts'
import { functionName, noun, sentence, sourceFile, typeName, verb } from '../words.ts'

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** The name that the request asks for. It has one word more than every other name. */
const askedName = (sheet: Sheet): string =>
  `${verb(sheet)}${capital(noun(sheet))}${capital(noun(sheet))}By${capital(noun(sheet))}`

/** A source line that uses a function. */
const use = (sheet: Sheet, name: string): string =>
  sheet.pick([
    () => `  const ${noun(sheet)} = await ${name}(${noun(sheet)}, ${noun(sheet)})`,
    () => `    return ${name}(${noun(sheet)}.${noun(sheet)})`,
    () => `  if (!${name}(${noun(sheet)})) throw new ${typeName(sheet)}Error('${noun(sheet)}')`,
    () => `import { ${name} } from './${noun(sheet)}-${noun(sheet)}.ts'`,
    () => `  // ${name} ${sentence(sheet)}`,
    () => `    ${noun(sheet)}: (${noun(sheet)}) => ${name}(${noun(sheet)}, '${noun(sheet)}'),`,
  ])()

const declaration = (sheet: Sheet, name: string): string =>
  `export function ${name}(${noun(sheet)}: ${typeName(sheet)}): ${typeName(sheet)} {`

interface Search {
  readonly program: string
  readonly command: (pattern: string) => string
  readonly path: (sheet: Sheet) => string
  /** The match with the lines that are printed around it, as with -C 1 or -p. */
  readonly around: (sheet: Sheet, path: string, line: number, match: string | Marked) => Row
}

function searchProgram({ program, command, path, around }: Search): Program {
  return {
    program,
    write(sheet): Run {
      const asked = askedName(sheet)
      const match = (text: string, isAsked: boolean): Row => {
        const file = path(sheet)
        const line = sheet.between(2, 900)
        const found = `${file}:${line}:${text}`
        return around(sheet, file, line, isAsked ? { kind: 'asked', text: found } : found)
      }
      const planted = [
        match(declaration(sheet, asked), true),
        ...Array.from({ length: sheet.between(1, 6) }, () => match(use(sheet, asked), true)),
      ]
      const other = (): string =>
        sheet.chance(0.15)
          ? declaration(sheet, functionName(sheet))
          : use(sheet, functionName(sheet))
      sheet.fill(() => match(other(), false), sheet.some(planted, planted.length))
      const request = sheet.pick([
        `Where is ${asked} called?`,
        `Rename \`${asked}\` and all its uses, please.`,
        `Who still needs ${asked}? I want to delete it.`,
      ])
      return { command: command('[a-z]+[A-Z][A-Za-z]+'), request }
    },
  }
}

const alone: Search['around'] = (_sheet, _path, _line, match) =>
  typeof match === 'string' ? { lines: [match] } : match

const rg: Program = searchProgram({
  program: 'rg -n',
  command: (pattern) => `rg -n '${pattern}' src lib packages`,
  path: (sheet) => sourceFile(sheet, 'ts'),
  around: alone,
})

const rgContext: Program = searchProgram({
  program: 'rg -n -C 1',
  command: (pattern) => `rg -n -C 1 '${pattern}' src lib packages`,
  path: (sheet) => sourceFile(sheet, 'ts'),
  around: (sheet, path, line, match) => ({
    lines: [
      `${path}-${line - 1}-  const ${noun(sheet)} = this.${noun(sheet)}`,
      match,
      `${path}-${line + 1}-${sheet.pick(['', '  }', `  // ${sentence(sheet)}`])}`,
      '--',
    ],
  }),
})

const grep: Program = searchProgram({
  program: 'grep -rn',
  command: (pattern) => `grep -rnE '${pattern}' .`,
  path: (sheet) => `./${sourceFile(sheet, 'ts')}`,
  around: alone,
})

const gitGrep: Program = searchProgram({
  program: 'git grep',
  command: (pattern) => `git grep -n -p -E '${pattern}'`,
  path: (sheet) => sourceFile(sheet, 'ts'),
  around: (sheet, path, line, match) => ({
    lines: [
      `${path}=${Math.max(1, line - sheet.between(1, 30))}=export class ${typeName(sheet)} {`,
      match,
    ],
  }),
})

export const searches: readonly Program[] = [rg, rgContext, grep, gitGrep]
