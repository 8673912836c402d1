import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { pageRoutes } from '../../src/dashboard/page-routes.ts'
import { type Setting, startSetting } from '../gateway/setting.ts'
import { projectRoot } from '../model/project-root.ts'

let setting: Setting
afterEach(() => setting?.stop())

const open = async (token: string | null = null): Promise<string> => {
  setting = await startSetting({
    ownRoutes: pageRoutes({ isTokenRequired: token !== null }),
    token,
  })
  return setting.gateway.url
}

/** Plain `http`, because `fetch` does not let a caller choose `Host`, and resolves the path. */
function ask(url: string, headers: Record<string, string> = {}): Promise<http.IncomingMessage> {
  const [, port, path = '/'] = /^http:\/\/127\.0\.0\.1:(\d+)(\/.*)$/.exec(url) ?? []
  return new Promise((resolve, reject) => {
    const to = { host: '127.0.0.1', port, path, headers, agent: false }
    http.get(to, (answer) => resolve(answer.resume())).on('error', reject)
  })
}

describe('the pages of the dashboard', () => {
  it('are served with a policy that allows their own script, styles and requests only', async () => {
    const url = await open()
    const page = await fetch(`${url}/`)
    const html = await page.text()
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';.* frame-ancestors 'none'/,
    )
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|https?:/)
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1])
    expect(files.length).toBe(3)
    for (const file of files) {
      const answer = await fetch(`${url}${file}`)
      expect([file, answer.status]).toEqual([file, 200])
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).not.toBeNull()
    }
    expect(setting.upstream.received).toEqual([])
  })

  it.each([
    '/palimpsest/pages/../package.json',
    '/palimpsest/pages/%2e%2e/index.js',
    '/palimpsest/pages/assets/..%2f..%2findex.js',
    '/palimpsest/pages/',
    '/palimpsest/pages/assets',
  ])('do not give away other files: %s', async (file) => {
    const url = await open()
    const { statusCode = 0 } = await ask(`${url}${file}`)
    expect(statusCode).toBeGreaterThanOrEqual(400)
  })

  it('are refused to another name, and to another site', async () => {
    const url = await open()
    expect((await ask(`${url}/`, { host: 'evil.test' })).statusCode).toBe(403)
    expect((await ask(`${url}/`, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
    expect((await ask(`${url}/`, { origin: 'http://evil.test' })).statusCode).toBe(403)
    expect((await fetch(`${url}/`, { method: 'POST' })).status).toBe(405)
  })

  it('require the token where everything does, and keep it in a cookie of this host', async () => {
    const url = await open('secret-1')
    expect((await ask(`${url}/`)).statusCode).toBe(401)
    expect((await ask(`${url}/palimpsest/pages/icon.svg`)).statusCode).toBe(401)
    expect((await ask(`${url}/?palimpsest-token=wrong`)).statusCode).toBe(401)
    const moved = await ask(`${url}/?palimpsest-token=secret-1`)
    expect([moved.statusCode, moved.headers.location]).toEqual([303, '/'])
    const cookie = String(moved.headers['set-cookie'])
    expect(cookie).toBe('palimpsest-token=secret-1; Path=/; HttpOnly; SameSite=Strict')
    const headers = { cookie: 'palimpsest-token=secret-1' }
    expect((await ask(`${url}/`, headers)).statusCode).toBe(200)
    expect((await ask(`${url}/palimpsest/pages/icon.svg`, headers)).statusCode).toBe(200)
  })

  it('have at most 150 kB compressed', async () => {
    await open()
    const folder = join(projectRoot, 'dist', 'web')
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    const bytes = files
      .filter((file) => file.isFile())
      .map((file) => gzipSync(readFileSync(join(file.parentPath, file.name))).length)
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(150_000)
  })
})
