import type { Context } from './context.ts'
import type { Endpoint } from './http/endpoint.ts'
import { type App, mountEndpoints } from './http/mount.ts'

/** The routes of every slice. */
const slices: readonly Readonly<Record<string, Endpoint>>[] = []

/** All endpoints on one Hono app, under `/api/v1` and `/json`. */
export function createApp(server: Context): App {
  const app = mountEndpoints(
    server,
    slices.flatMap((slice) => Object.values(slice)),
  )
  app.get('/health', (c) => c.json({ result: 'success', msg: '', status: 'ok' }))
  return app
}
