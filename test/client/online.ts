import { type Api, CallError } from '#client/api/api.ts'
import type { FeatureEvent, RegisterReply } from '#client/api/wire.ts'
import { createStore } from '#client/state/create-store.ts'
import { registration } from '#client/state/registration.ts'
import type { Store } from '#client/state/store.ts'
import type { Actor, Client, TestServer } from '#test/support/server.ts'

/** The state and the API of the web client, for one person of a test's server. */
export interface Online {
  readonly store: Store
  readonly api: Api
  /** Applies the events that wait. */
  poll(): Promise<void>
  /** Registers again, as after a queue was lost. */
  restart(): Promise<void>
  /** Holds answers of the API back until they are let through, to see what happens meanwhile. */
  hold(): { letThrough(): void; readonly asked: readonly string[] }
}

/** Registers as someone and keeps a store of it, which `poll` brings up to date. */
export async function goOnline(server: TestServer, actor: Actor): Promise<Online> {
  const client = server.as(actor)
  let watch = await client.watchWith(registration)
  const store = createStore(watch.state as unknown as RegisterReply)
  let held: { readonly gate: Promise<void>; readonly asked: string[] } | undefined
  const beforeAnswer = async (path: string) => {
    held?.asked.push(path)
    await held?.gate
  }
  return {
    store,
    api: apiOf(client, beforeAnswer),
    async poll() {
      store.apply((await watch.drain()) as unknown as FeatureEvent[])
    },
    async restart() {
      watch = await client.watchWith(registration)
      store.restart(watch.state as unknown as RegisterReply)
    },
    hold() {
      let open = () => {}
      const gate = new Promise<void>((resolve) => {
        open = resolve
      })
      const paths: string[] = []
      held = { gate, asked: paths }
      return {
        asked: paths,
        letThrough() {
          held = undefined
          open()
        },
      }
    },
  }
}

/** @param beforeAnswer awaited after the server has answered */
function apiOf(client: Client, beforeAnswer: (path: string) => Promise<void>): Api {
  const call =
    (method: 'get' | 'post' | 'patch' | 'put' | 'del') =>
    async <T>(path: string, params: object = {}): Promise<T> => {
      const reply = await client.extended[method](path, { ...params })
      await beforeAnswer(path)
      if (reply.result === 'success') return reply as T
      const { msg, code, status, ...details } = reply
      throw new CallError(msg, String(code), status, details)
    }
  return {
    get: call('get'),
    post: call('post'),
    patch: call('patch'),
    put: call('put'),
    delete: call('del'),
  }
}
