// Reads CSV as RFC 4180 describes it, and a little more: lines may end with \n or \r\n, the separator may be a comma,
// a semicolon or a tab, a byte order mark is skipped, and damage is reported instead of thrown.

const separators = [',', ';', '\t']

/**
 * Text to rows of fields. A row knows the line on which it starts, because a quoted field may span several lines.
 *
 * @param {string} text
 * @param {{ separator?: string }} [options]
 * @returns {{ rows: { line: number, fields: string[] }[], problems: { line: number, message: string }[] }}
 */
export function parseRows(text, options = {}) {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const separator = options.separator ?? guessSeparator(source)
  const rows = []
  const problems = []
  let position = 0
  let line = 1

  while (position < source.length) {
    const startLine = line
    const fields = []
    let ended = false
    while (!ended) {
      const field = readField()
      fields.push(field)
      if (source[position] === separator) {
        position += 1
      } else {
        skipLineEnd()
        ended = true
      }
    }
    if (!isBlank(fields)) rows.push({ line: startLine, fields })
  }
  return { rows, problems }

  function readField() {
    return source[position] === '"' ? readQuotedField() : readPlainField()
  }

  function readPlainField() {
    const start = position
    while (position < source.length && !isFieldEnd(source[position])) position += 1
    return source.slice(start, position)
  }

  function readQuotedField() {
    const startLine = line
    position += 1
    let value = ''
    while (position < source.length) {
      const character = source[position]
      if (character === '"') {
        position += 1
        return value + readPlainField()
      }
      if (character === '\n') line += 1
      value += character
      position += 1
    }
    problems.push({ line: startLine, message: 'a quoted field has no end' })
    return value
  }

  function isFieldEnd(character) {
    return character === separator || character === '\n' || character === '\r'
  }

  function skipLineEnd() {
    if (source[position] === '\r') position += 1
    if (source[position] === '\n') position += 1
    line += 1
  }
}

/**
 * The separator that the first line uses most, outside of quotes. A comma when there is none.
 *
 * @param {string} text
 */
export function guessSeparator(text) {
  const counts = new Map(separators.map((separator) => [separator, 0]))
  let quoted = false
  for (const character of text) {
    if (character === '"') quoted = !quoted
    if (quoted) continue
    if (character === '\n') break
    if (counts.has(character)) counts.set(character, counts.get(character) + 1)
  }
  let best = ','
  for (const [separator, count] of counts) {
    if (count > counts.get(best)) best = separator
  }
  return best
}

/**
 * Text to records: the first row names the columns. A row with too few or too many fields is reported and skipped.
 *
 * @param {string} text
 * @param {{ separator?: string }} [options]
 * @returns {{ records: { line: number, values: Record<string, string> }[], problems: { line: number, message: string }[] }}
 */
export function parseRecords(text, options = {}) {
  const { rows, problems } = parseRows(text, options)
  const [header, ...body] = rows
  if (header === undefined) {
    return { records: [], problems: [...problems, { line: 1, message: 'the file is empty' }] }
  }
  const names = header.fields.map(normaliseName)
  const doubled = names.find((name, index) => names.indexOf(name) !== index)
  if (doubled !== undefined) {
    problems.push({ line: header.line, message: `the column "${doubled}" is there twice` })
  }
  const records = []
  for (const row of body) {
    if (row.fields.length !== names.length) {
      const message = `${row.fields.length} fields where the header has ${names.length}`
      problems.push({ line: row.line, message })
      continue
    }
    const values = {}
    names.forEach((name, index) => {
      values[name] = row.fields[index].trim()
    })
    records.push({ line: row.line, values })
  }
  return { records, problems }
}

/**
 * Rows of fields to text, quoted where it must be.
 *
 * @param {readonly (readonly string[])[]} rows
 * @param {string} [separator]
 */
export function formatRows(rows, separator = ',') {
  const lines = rows.map((fields) =>
    fields.map((field) => formatField(field, separator)).join(separator),
  )
  return lines.map((line) => `${line}\n`).join('')
}

function formatField(field, separator) {
  const mustQuote = field.includes(separator) || /["\r\n]/.test(field)
  return mustQuote ? `"${field.replaceAll('"', '""')}"` : field
}

function normaliseName(name) {
  return name.trim().toLowerCase().replaceAll(/\s+/g, '_')
}

function isBlank(fields) {
  return fields.length === 1 && fields[0].trim() === ''
}
