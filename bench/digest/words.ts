import type { Sheet } from './sheet.ts'

/** Names that outputs of real programs are made of. */
export const services: readonly string[] =
  'api web auth billing search cart catalog checkout email events gateway geo identity images inventory ledger mailer media metrics notify orders payments pricing profile queue ranking recommend reports scheduler sessions shipping signup sync tagger tax thumbs tokens tracker uploads users vault webhooks worker'.split(
    ' ',
  )

export const people: readonly string[] =
  'alice bruno carla deniz elena farid gwen hiro ines jonas kofi lena marco nadia omar petra quinn rosa sven tara ulrich vera wim xenia yusuf zoe'.split(
    ' ',
  )

export const folders: readonly string[] =
  'src/api src/auth src/billing src/cache src/cli src/config src/core src/db src/events src/forms src/hooks src/i18n src/jobs src/layout src/mail src/models src/pages src/parser src/queue src/router src/schema src/search src/server src/store src/theme src/utils src/views src/workers lib/http lib/text packages/ui/src packages/sdk/src'.split(
    ' ',
  )

export const nouns: readonly string[] =
  'account address amount article badge basket batch branch button calendar card category channel client comment contact coupon currency customer dialog discount document draft event feature filter folder form gallery group header history image invoice item label language layout list location log member menu message meter method module note notice order page panel parcel password payment permission plan player policy post price product profile project query quota rating receipt record refund region report request response review role route rule schedule section session setting shipment slot snapshot source status step stock store stream survey table tag target task team template ticket timer token topic total transfer unit upload user value vendor version view voucher wallet widget window zone'.split(
    ' ',
  )

const verbs =
  'add apply archive build cancel check clear close compare convert copy count create decode delete encode export fetch filter find format group handle hide import insert list load lock map mark match merge move open order parse pick print publish read refresh remove rename render replace reset resolve restore resume save scan select send show sort split start store sync test toggle track trim update validate verify write'.split(
    ' ',
  )

const adjectives =
  'able agile amber bold brave brisk calm clever cool crisp daring eager early fancy fast fine fresh gentle glad grand green happy keen kind late light lively loud lucky mellow merry mild neat nice noble plain polite proud quick quiet rapid rare ready rich round sharp shiny silent simple slow small smart smooth soft solid steady still stout sunny sweet swift tall tidy tiny vast vivid warm wide wild wise young zesty'.split(
    ' ',
  )

export const service = (sheet: Sheet): string => sheet.pick(services)
export const person = (sheet: Sheet): string => sheet.pick(people)
export const noun = (sheet: Sheet): string => sheet.pick(nouns)
export const verb = (sheet: Sheet): string => sheet.pick(verbs)
export const folder = (sheet: Sheet): string => sheet.pick(folders)
export const adjective = (sheet: Sheet): string => sheet.pick(adjectives)

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

export const functionName = (sheet: Sheet): string => `${verb(sheet)}${capital(noun(sheet))}`
export const typeName = (sheet: Sheet): string => `${capital(noun(sheet))}${capital(noun(sheet))}`
export const snakeName = (sheet: Sheet): string => `${verb(sheet)}_${noun(sheet)}_${noun(sheet)}`
export const slug = (sheet: Sheet): string => `${adjective(sheet)}-${noun(sheet)}`
export const sourceFile = (sheet: Sheet, extension: string): string =>
  `${folder(sheet)}/${noun(sheet)}-${noun(sheet)}.${extension}`

/** What a test says it checks. */
export const sentence = (sheet: Sheet): string =>
  sheet.pick([
    `${verb(sheet)}s the ${noun(sheet)} of a ${adjective(sheet)} ${noun(sheet)}`,
    `returns the ${adjective(sheet)} ${noun(sheet)} when the ${noun(sheet)} is ${adjective(sheet)}`,
    `keeps every ${noun(sheet)} in the ${noun(sheet)}`,
    `rejects a ${noun(sheet)} without ${noun(sheet)} error codes`,
    `does not ${verb(sheet)} a ${noun(sheet)} twice`,
  ])

const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0')

/** A time of day that rises with the position. */
export function timeAt(position: number, stepSeconds = 3): string {
  const seconds = 6 * 3600 + Math.floor(position * stepSeconds)
  return `${pad(Math.floor(seconds / 3600) % 24)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
}

export const uuid = (sheet: Sheet): string =>
  `${sheet.hex(8)}-${sheet.hex(4)}-4${sheet.hex(3)}-a${sheet.hex(3)}-${sheet.hex(12)}`

export const ip = (sheet: Sheet): string =>
  `10.${sheet.below(256)}.${sheet.below(256)}.${sheet.between(1, 254)}`

/** Cells in columns, as most listing programs print them. */
export const columns = (cells: readonly (string | number)[], widths: readonly number[]): string =>
  cells
    .map((cell, index) => String(cell).padEnd(widths[index] ?? 0))
    .join('')
    .trimEnd()
