// Draws the output of a command as an SVG: the text of a terminal, with its colours, in a window.

const [cellWidth, lineHeight] = [8.43, 20]
const edge = { x: 20, top: 48, bottom: 18 }
const font = 'ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace'
const plain = '#d6d8d5'
const colors = { 31: '#f08a84', 32: '#58c9ac', 33: '#e3b45c', 36: '#7cb8e8' }

const escapeSequence = new RegExp(`${String.fromCharCode(27)}\\[([0-9;]*)m`)

/** Pieces of a line with the same style. */
function pieces(line) {
  const found = []
  let style = {}
  for (const [at, part] of line.split(escapeSequence).entries()) {
    if (at % 2 === 0) {
      if (part !== '') found.push({ text: part, style })
      continue
    }
    for (const code of part.split(';').map(Number)) style = styled(style, code)
  }
  return found
}

function styled(style, code) {
  if (code === 0) return {}
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 22) return { ...style, bold: false, dim: false }
  if (code === 39) return { ...style, color: undefined }
  return colors[code] === undefined ? style : { ...style, color: colors[code] }
}

const escaped = (text) =>
  text.replace(/[&<>"]/g, (each) => `&#${each.codePointAt(0)};`).replaceAll(' ', '\u00a0')

/** Bars are drawn, because a font may leave gaps between the characters of a bar. */
function pieceElement({ text, style }, x, y) {
  const fill = style.color ?? plain
  if (/^[█░]+$/.test(text)) {
    const opacity = text.startsWith('░') ? ' opacity="0.5"' : ''
    return `<rect x="${x}" y="${y - 13}" width="${(text.length * cellWidth).toFixed(1)}" height="16" rx="2" fill="${fill}"${opacity}/>`
  }
  const more = `${style.bold ? ' font-weight="700"' : ''}${style.dim ? ' opacity="0.72"' : ''}`
  const length = (text.length * cellWidth).toFixed(1)
  return `<text x="${x}" y="${y}" fill="${fill}" textLength="${length}"${more}>${escaped(text)}</text>`
}

/** `output` may have colours. `command` is what a person typed. */
export function terminalPicture(command, output) {
  const lines = [`\u001b[2m$\u001b[22m ${command}`, ...output.trimEnd().split('\n')]
  const bare = lines.map((line) => pieces(line).reduce((sum, { text }) => sum + text.length, 0))
  const width = Math.ceil(2 * edge.x + Math.max(72, ...bare) * cellWidth)
  const height = edge.top + lines.length * lineHeight + edge.bottom
  const rows = lines.flatMap((line, row) => {
    let column = 0
    const drawn = pieces(line).map((piece) => {
      const x = Number((edge.x + column * cellWidth).toFixed(1))
      column += piece.text.length
      return pieceElement(piece, x, edge.top + row * lineHeight + 14)
    })
    if (drawn.length === 0 || row === 0) return drawn
    const delay = (1 + row * 0.12).toFixed(2)
    return `<g style="animation-delay:${delay}s">${drawn.join('')}</g>`
  })
  const buttons = ['#f08a84', '#e3b45c', '#58c9ac'].map(
    (fill, at) => `<circle cx="${edge.x + 6 + at * 18}" cy="22" r="5.5" fill="${fill}"/>`,
  )
  const label = escaped(`$ ${command}\n${output}`.replaceAll(new RegExp(escapeSequence, 'g'), ''))
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${font}" font-size="14">`,
    `<title>${label}</title>`,
    // The lines appear one after the other, once. Without animations they are all there.
    '<style>@media (prefers-reduced-motion: no-preference){g{animation:show 0.2s ease-out both}}@keyframes show{from{opacity:0}}</style>',
    `<rect width="${width}" height="${height}" rx="10" fill="#17191a"/>`,
    ...buttons,
    ...rows,
    '</svg>',
  ].join('\n')}\n`
}
