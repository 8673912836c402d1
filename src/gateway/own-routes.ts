import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { accessTo } from './access-table.ts'

/** A route that the gateway answers itself, such as `/mcp`. */
export interface OwnRoute {
  /** Everything below the path belongs to the route too, except for `/`, which is only itself. */
  readonly path: string
  /** Answers a request. The gateway has checked who may ask. */
  fetch(request: Request): Response | Promise<Response>
}

export interface OwnRoutes {
  includes(url: string): boolean
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** @throws Error for a route without a row in the access table. */
export function createOwnRoutes(
  routes: readonly OwnRoute[],
  onFault: (fault: unknown) => void,
): OwnRoutes {
  const app = new Hono()
  for (const route of routes) {
    accessTo('HTTP', route.path)
    app.all(route.path === '/' ? '/' : `${route.path}/*`, ({ req }) => route.fetch(req.raw))
  }
  app.onError((fault, context) => {
    onFault(fault)
    const message = 'the gateway failed to answer this request'
    return context.json({ type: 'error', error: { type: 'palimpsest', message } }, 500)
  })
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  return {
    includes(url) {
      const path = url.split('?', 1)[0] as string
      return routes.some(
        (route) => path === route.path || (route.path !== '/' && path.startsWith(`${route.path}/`)),
      )
    },
    async handle(request, response) {
      await listener(request, response)
    },
  }
}
