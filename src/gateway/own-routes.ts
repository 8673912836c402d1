import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { accessTo } from './access-table.ts'
import { largestBodyBytes } from './limits.ts'
import { seesEverything, type Viewer } from './tokens/viewer.ts'

/** A route that the gateway answers itself, such as `/mcp`. */
export interface OwnRoute {
  /** Everything below the path belongs to the route too, except for `/`, which is only itself. */
  readonly path: string
  /** Answers a request. The gateway has checked who may ask, and says what they may see. */
  fetch(request: Request, viewer: Viewer): Response | Promise<Response>
}

export interface OwnRoutes {
  includes(url: string): boolean
  /** Whether anyone may ask, without a token. */
  isOpen(url: string): boolean
  handle(request: IncomingMessage, response: ServerResponse, viewer: Viewer): Promise<void>
}

function ownError(message: string): object {
  return { type: 'error', error: { type: 'palimpsest', message } }
}

/** @throws Error for a route without a row in the access table. */
export function createOwnRoutes(
  routes: readonly OwnRoute[],
  onFault: (fault: unknown) => void,
): OwnRoutes {
  const app = new Hono<{ Bindings: { readonly incoming: IncomingMessage } }>()
  const viewers = new WeakMap<IncomingMessage, Viewer>()
  app.use(
    bodyLimit({
      maxSize: largestBodyBytes,
      onError: (context) => context.json(ownError('the body is too large'), 413),
    }),
  )
  for (const route of routes) {
    accessTo('HTTP', route.path)
    app.all(route.path === '/' ? '/' : `${route.path}/*`, ({ req, env }) =>
      route.fetch(req.raw, viewers.get(env.incoming) ?? seesEverything),
    )
  }
  app.onError((fault, context) => {
    onFault(fault)
    return context.json(ownError('the gateway failed to answer this request'), 500)
  })
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const routeAt = (url: string): OwnRoute | undefined => {
    const path = url.split('?', 1)[0] as string
    return routes.find(
      (route) => path === route.path || (route.path !== '/' && path.startsWith(`${route.path}/`)),
    )
  }
  return {
    includes: (url) => routeAt(url) !== undefined,
    isOpen(url) {
      const route = routeAt(url)
      return route !== undefined && accessTo('HTTP', route.path).caller === 'anyone'
    },
    async handle(request, response, viewer) {
      viewers.set(request, viewer)
      await listener(request, response)
    },
  }
}
