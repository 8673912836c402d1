/**
 * Fits the cost tables of `estimateTokens` to o200k and writes them to src/core/record/token-weights-*.ts.
 *
 *   node scripts/fit-estimator.mjs FOLDER [--dry]
 *
 * FOLDER holds one folder per class of text (`ts/`, `diff/`, `zh/`, …) with plain files in them. Every fourth file,
 * and every file of a folder whose name starts with `h-`, is held out: it is not fitted, and the errors printed are
 * measured on those alone. The same files give the same tables. Only numbers leave the folder, never text.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens, decode } from 'gpt-tokenizer/encoding/o200k_base'

const SPLIT =
  /[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu

// The features mirror src/core/record/tokens.ts; a difference shows as an error in its tests.
const ASCII_BITS = 14
const NEAR_BITS = 13
const FAR_BITS = 14
const STEPS_PER_TOKEN = 20
const LOWEST = -43
const HIGHEST = 42

const ASCII = 0
const NEAR = ASCII + (1 << ASCII_BITS)
const FAR = NEAR + (1 << NEAR_BITS)
const SIZE = FAR + (1 << FAR_BITS)

const EPOCHS = 40
const BATCH = 4000
const SHRINK = 2e-6

function costsOneToken(piece) {
  return /^\s+$/.test(piece) || /^\p{N}+$/u.test(piece)
}

function featuresOf(piece) {
  const features = []
  let context = 0
  let before = 0
  let beforeThat = 0
  for (let at = 0; at < piece.length; at++) {
    const code = piece.charCodeAt(at)
    context = ((context << 7) | (code & 127)) & 0x1fffff
    if (code < 128) {
      features.push(ASCII + (Math.imul(context, 0x9e3779b1) >>> (32 - ASCII_BITS)))
    } else {
      const pair = Math.imul(before, 0x10dcd) ^ code
      features.push(NEAR + (Math.imul(code, 0x9e3779b1) >>> (32 - NEAR_BITS)))
      features.push(FAR + (Math.imul(pair, 0x85ebca6b) >>> (32 - FAR_BITS)))
      if (code < 0x2e80) {
        const triple = Math.imul(beforeThat, 0x3c6ef) ^ pair
        features.push(FAR + (Math.imul(triple, 0x85ebca6b) >>> (32 - FAR_BITS)))
      }
    }
    beforeThat = before
    before = code
  }
  return Int32Array.from(features)
}

function readClasses(folder) {
  const files = []
  for (const name of readdirSync(folder).sort()) {
    for (const file of readdirSync(join(folder, name)).sort()) {
      const text = readFileSync(join(folder, name, file), 'utf8')
      const hash = createHash('sha256').update(`${name}/${file}`).digest()
      files.push({ name, text, held: name.startsWith('h-') || hash[0] % 4 === 0 })
    }
  }
  return files
}

function randomSource(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Runs of one character, emoji, random letters, and Han and kana text of general vocabulary, which real files lack. */
function inventedPieces() {
  const pieces = []
  for (let code = 33; code < 127; code++) {
    const unit = String.fromCharCode(code)
    if (/\d/.test(unit)) continue
    for (const length of [6, 8, 12, 16, 24, 32, 48, 64, 80, 128, 256])
      pieces.push(unit.repeat(length))
  }
  for (const unit of '─━═│█▀░•·…→✓')
    for (const length of [2, 4, 8, 16, 32, 64, 128]) pieces.push(unit.repeat(length))
  for (let emoji = 0x1f300; emoji < 0x1fb00; emoji++) {
    const unit = String.fromCodePoint(emoji)
    if (/\p{Emoji}/u.test(unit)) pieces.push(unit, ` ${unit}`, unit + unit, `${unit}\ufe0f`)
  }
  const words = []
  for (let token = 0; token < 199_000; token++) {
    const word = decode([token])
    if (/^[\u3040-\u30ff\u4e00-\u9fff]+$/.test(word)) words.push(word)
  }
  const random = randomSource(11)
  for (let made = 0; made < 60_000; made++) {
    let piece = random() < 0.2 ? '/+ "='[Math.floor(random() * 5)] : ''
    for (let more = Math.floor(random() * 4); more > 0; more--)
      piece += String.fromCharCode(65 + Math.floor(random() * 26))
    for (let more = 1 + Math.floor(random() * 4); more > 0; more--)
      piece += String.fromCharCode(97 + Math.floor(random() * 26))
    pieces.push(piece)
  }
  for (let made = 0; made < 60_000; made++) {
    let piece = ''
    for (let more = 1 + Math.floor(random() * 8); more > 0; more--)
      piece += words[Math.min(words.length - 1, Math.floor(words.length ** random()) - 1)]
    pieces.push(piece)
  }
  return pieces
}

function fitWeights(samples) {
  const weights = new Float32Array(SIZE)
  weights.fill(0.3, NEAR, FAR)
  const mean = new Float32Array(SIZE)
  const square = new Float32Array(SIZE)
  const gradient = new Float32Array(SIZE)
  const random = randomSource(5)
  const limit = HIGHEST / STEPS_PER_TOKEN
  let meanLeft = 1
  let squareLeft = 1
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let last = samples.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1))
      const swapped = samples[last]
      samples[last] = samples[other]
      samples[other] = swapped
    }
    const rate = 0.02 * (1 - epoch / EPOCHS) + 0.0003
    for (let start = 0; start < samples.length; start += BATCH) {
      gradient.fill(0)
      let total = 0
      for (const { features, tokens, weight } of samples.slice(start, start + BATCH)) {
        let sum = 0
        for (const feature of features) sum += weights[feature]
        total += weight
        const error = Math.max(0, sum) + 1 - tokens
        if (sum <= 0 && error >= 0) continue
        for (const feature of features) gradient[feature] += error * weight
      }
      meanLeft *= 0.9
      squareLeft *= 0.99
      for (let index = 0; index < SIZE; index++) {
        const slope = gradient[index] / total + SHRINK * weights[index]
        mean[index] = 0.9 * mean[index] + 0.1 * slope
        square[index] = 0.99 * square[index] + 0.01 * slope * slope
        const step =
          mean[index] / (1 - meanLeft) / (Math.sqrt(square[index] / (1 - squareLeft)) + 1e-8)
        weights[index] = Math.max(-limit, Math.min(limit, weights[index] - rate * step))
      }
    }
    process.stderr.write(`\repoch ${epoch + 1} of ${EPOCHS}`)
  }
  process.stderr.write('\n')
  return Int8Array.from(weights, (weight) =>
    Math.max(LOWEST, Math.min(HIGHEST, Math.round(weight * STEPS_PER_TOKEN))),
  )
}

/** One printable character per weight; the quote is below the first and the backslash is stepped over. */
function encoded(steps) {
  let text = ''
  for (const step of steps) {
    const code = step - LOWEST + 40
    text += String.fromCharCode(code >= 92 ? code + 1 : code)
  }
  return text
    .match(/.{1,94}/g)
    .map((line) => `  '${line}'`)
    .join(' +\n')
}

const folder = process.argv[2]
if (folder === undefined) {
  process.stderr.write('usage: node scripts/fit-estimator.mjs FOLDER [--dry]\n')
  process.exit(2)
}
const files = readClasses(folder)
const known = new Map()
for (const { text, held } of files) {
  for (const [piece] of text.matchAll(SPLIT)) {
    let entry = known.get(piece)
    if (entry === undefined) {
      const features = costsOneToken(piece) ? null : featuresOf(piece)
      entry = { features, tokens: countTokens(piece), count: 0 }
      known.set(piece, entry)
    }
    if (!held) entry.count++
  }
}
const samples = []
for (const [piece, { features, tokens, count }] of known) {
  if (features === null || count === 0) continue
  samples.push({ features, tokens, weight: count / (1 + piece.length / 12) })
}
for (const piece of inventedPieces())
  samples.push({
    features: featuresOf(piece),
    tokens: countTokens(piece),
    weight: 1 / (1 + piece.length / 12),
  })

const steps = fitWeights(samples)
const errors = new Map()
for (const { name, text, held } of files) {
  if (!held) continue
  let real = 0
  let estimated = 0
  for (const [piece] of text.matchAll(SPLIT)) {
    const { features, tokens } = known.get(piece)
    real += tokens
    estimated += 1
    if (features === null) continue
    let sum = 0
    for (const feature of features) sum += steps[feature]
    if (sum > 0) estimated += sum / STEPS_PER_TOKEN
  }
  if (real < 100) continue
  errors.set(name, [...(errors.get(name) ?? []), estimated / real - 1])
}
const percent = (share) => `${(share * 100).toFixed(1)} %`.padStart(8)
for (const [name, shares] of errors) {
  shares.sort((one, other) => one - other)
  const middle = shares.reduce((sum, share) => sum + share, 0) / shares.length
  process.stdout.write(
    `${name.padEnd(12)} ${String(shares.length).padStart(4)} held out, mean ${percent(middle)}, from ${percent(shares[0])} to ${percent(shares.at(-1))}\n`,
  )
}
if (!process.argv.includes('--dry')) {
  const note = (what) =>
    `/**\n * ${what}, in steps of a twentieth of a token, one character each. Written by\n * scripts/fit-estimator.mjs, not by hand: numbers of a regression, not a vocabulary.\n */\n`
  const table = (name, from, to) =>
    `export const ${name}: string =\n${encoded(steps.subarray(from, to))}\n`
  const write = (file, parts) =>
    writeFileSync(new URL(`../src/core/record/${file}`, import.meta.url), parts.join('\n'))
  write('token-weights-ascii.ts', [
    note('Costs of ASCII characters for `estimateTokens`'),
    table('ASCII_WEIGHTS', ASCII, NEAR),
  ])
  write('token-weights-wide.ts', [
    note('Costs of characters beyond ASCII for `estimateTokens`'),
    '/** By the character alone. */',
    table('NEAR_WEIGHTS', NEAR, FAR),
    '/** By the character and what stands before it. */',
    table('FAR_WEIGHTS', FAR, SIZE),
  ])
}
