import { success } from '#test/support/replies.ts'
import type { Actor, CallParams, TestServer } from '#test/support/server.ts'

interface Fetched {
  message: {
    content: string
    subject: string
    stream_id: number
    edit_history?: object[]
  } & Record<string, unknown>
}

/** The reply to an edit. */
export const edited = { ...success, detached_uploads: [] }

/** How tests of a server edit its messages, and look at them. */
export function editsOn(server: TestServer) {
  return {
    edit: (actor: Actor, id: number, params: CallParams) =>
      server.as(actor).patch(`/messages/${id}`, params),
    fetched: async (actor: Actor, id: number) =>
      (await server.as(actor).get<Fetched>(`/messages/${id}`, { apply_markdown: false })).message,
    /** In seconds since the epoch. */
    now: () => Math.floor(server.clock.now() / 1000),
  }
}
