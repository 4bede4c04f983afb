import type { Context } from './context.ts'
import * as events from './events/routes.ts'
import type { Endpoint } from './http/endpoint.ts'
import { type App, mountEndpoints } from './http/mount.ts'
import * as flags from './messages/flags/routes.ts'
import * as reactions from './messages/reactions/routes.ts'
import * as rendering from './messages/render/routes.ts'
import * as messages from './messages/routes.ts'
import * as typing from './messages/typing/routes.ts'
import * as userTopics from './user-topics/routes.ts'

/** The routes of every slice. */
const slices: readonly Readonly<Record<string, Endpoint>>[] = [
  events,
  flags,
  messages,
  reactions,
  rendering,
  typing,
  userTopics,
]

/** All endpoints on one Hono app, under `/api/v1` and `/json`. */
export function createApp(server: Context): App {
  const app = mountEndpoints(
    server,
    slices.flatMap((slice) => Object.values(slice)),
  )
  app.get('/health', (c) => c.json({ result: 'success', msg: '', status: 'ok' }))
  return app
}
