import { PalimpsestError } from '../core/words/errors.ts'
import type { OwnRoute } from '../gateway/index.ts'
import { openPageFiles, type PageFiles, pagesPath } from './page-files.ts'

/** What the page may do: run its own script, use its own styles, and ask this gateway. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const safeHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

const cookieSafe = /^[\w.~+/=-]+$/

/**
 * The dashboard's page at `/`, and its files. On a gateway that requires a token, the page is opened with the token in the
 * query. It is moved to a cookie, because a browser asks for scripts without the query.
 */
export function pageRoutes({
  isTokenRequired,
}: {
  readonly isTokenRequired: boolean
}): readonly OwnRoute[] {
  let opened: PageFiles | null = null

  function page(request: Request): Response {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405, 'use GET')
    const given = new URL(request.url).searchParams.get('palimpsest-token')
    // The gateway has checked it.
    if (isTokenRequired && given !== null && cookieSafe.test(given)) {
      const cookie = `palimpsest-token=${given}; Path=/; HttpOnly; SameSite=Strict`
      return new Response(null, {
        status: 303,
        headers: { ...safeHeaders, location: '/', 'set-cookie': cookie },
      })
    }
    return answer('index.html', 'no-cache')
  }

  function answer(name: string, caching: string): Response {
    // A gateway without pages still serves agents.
    try {
      opened ??= openPageFiles()
    } catch (error) {
      if (PalimpsestError.is(error)) return refusal(503, error.message)
      throw error
    }
    const content = opened.read(name)
    if (content === null) return refusal(404, 'there is no such file')
    const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    const headers = { ...safeHeaders, 'content-type': type, 'cache-control': caching }
    return new Response(new Uint8Array(content), { headers })
  }

  return [
    { path: '/', fetch: page },
    {
      path: pagesPath,
      fetch(request) {
        const name = new URL(request.url).pathname.slice(pagesPath.length + 1)
        // Names of assets change with their content.
        return answer(name, name.startsWith('assets/') ? 'max-age=31536000, immutable' : 'no-cache')
      },
    },
  ]
}

function refusal(status: number, message: string): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { ...safeHeaders, 'content-type': 'text/plain; charset=utf-8' },
  })
}
