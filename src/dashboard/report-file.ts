import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { withoutSecretsIn } from '../core/words/secrets.ts'
import { openPageFiles } from './page-files.ts'
import type { ReportData } from './types.ts'

/**
 * A report as one HTML file that opens without a server.
 *
 * It contains no inline script. The page's script is a `data:` address with an integrity hash, and the policy allows that
 * hash only, so that the browser runs this very script and nothing else. The data are gzip as base64 in a block that is not
 * run, so that nothing a session contains can be taken for markup.
 */
export function reportFile(data: ReportData): string {
  const files = openPageFiles()
  const script = files.read(files.script) ?? Buffer.alloc(0)
  const styles = (files.read(files.styles) ?? Buffer.alloc(0)).toString('utf8')
  const hashes = { script: sha256(script), styles: sha256(Buffer.from(styles)) }
  const policy = [
    "default-src 'none'",
    `script-src '${hashes.script}'`,
    `style-src '${hashes.styles}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
  const packed = gzipSync(JSON.stringify(withoutSecretsIn(data)), { level: 9 }).toString('base64')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <meta name="color-scheme" content="light dark" />
    <title>Palimpsest report</title>
    <link rel="icon" href="data:," />
    <style>${styles}</style>
  </head>
  <body>
    <div id="app"><p class="boot">Loading the report… It needs a browser that runs scripts.</p></div>
    <script type="application/octet-stream" id="report-data">${packed}</script>
    <script type="module" crossorigin="anonymous" integrity="${hashes.script}" src="data:text/javascript;base64,${script.toString('base64')}"></script>
  </body>
</html>
`
}

function sha256(content: Buffer): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
