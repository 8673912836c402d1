import { afterEach, expect, it } from 'vitest'
import { type Setting, startSetting } from './setting.ts'
import { paths, storyBodies } from './story.ts'

let setting: Setting
afterEach(() => setting.stop())

it('survives an own route that fails, and counts the fault', async () => {
  setting = await startSetting({
    ownRoutes: [
      {
        path: '/mcp',
        fetch() {
          throw new Error('broken route')
        },
      },
    ],
  })
  const answer = await fetch(`${setting.gateway.url}/mcp/below`, { method: 'POST', body: '{}' })
  expect([answer.status, await answer.json()]).toMatchObject([500, { type: 'error' }])
  expect(setting.faults).toEqual(['request: Error: broken route'])
  expect(setting.gateway.status().faults).toEqual({ connections: 0, internal: 1 })
  const [body = ''] = storyBodies('anthropic')
  expect((await setting.post(paths.anthropic, body)).status).toBe(200)
})

it('keeps paths that only begin like an own route for the upstream', async () => {
  setting = await startSetting({
    ownRoutes: [{ path: '/mcp', fetch: () => new Response('own') }],
  })
  const bodyOf = async (path: string): Promise<string> =>
    (await fetch(`${setting.gateway.url}${path}`, { headers: { 'x-api-key': 'k' } })).text()
  expect(await bodyOf('/mcp')).toBe('own')
  expect(await bodyOf('/mcp/')).toBe('own')
  expect(await bodyOf('/mcp?x=1')).toBe('own')
  expect(await bodyOf('/mcp/%6d/deeper')).toBe('own')
  expect(await bodyOf('/mcpx')).not.toBe('own')
  expect(setting.upstream.received).toHaveLength(1)
})
