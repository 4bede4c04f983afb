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
import { mountAvatars } from './users/avatars/pages.ts'
import * as login from './users/login/routes.ts'
import * as users from './users/routes.ts'

/** The routes of every slice. */
const slices: readonly Readonly<Record<string, Endpoint>>[] = [
  events,
  flags,
  login,
  messages,
  reactions,
  rendering,
  typing,
  users,
  userTopics,
]

/** All endpoints on one Hono app, under `/api/v1` and `/json`. */
export function createApp(server: Context): App {
  const app = mountEndpoints(
    server,
    slices.flatMap((slice) => Object.values(slice)),
  )
  mountAvatars(app)
  app.get('/health', (c) => c.json({ result: 'success', msg: '', status: 'ok' }))
  return app
}
