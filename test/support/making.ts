import assert from 'node:assert/strict'
import type { Actor, CallParams, TestServer } from './server.ts'

/** Makes channels and groups with names of their own, as the owner. */
export function makers(server: TestServer) {
  const owner = server.as('owner')
  const idsOf = (actors: readonly Actor[]) => actors.map((name) => server.ids[name])
  let made = 0
  return {
    async newChannel(
      subscribers: readonly Actor[],
      params: CallParams = {},
    ): Promise<{ id: number; name: string }> {
      made += 1
      const name = `made ${made}`
      const asked = { name, subscribers: idsOf(subscribers), ...params }
      const reply = await owner.post<{ id: number }>('/channels/create', asked)
      assert.equal(reply.result, 'success', reply.msg)
      return { id: reply.id, name }
    },
    async newGroup(members: readonly Actor[], subgroups: readonly number[] = []): Promise<number> {
      made += 1
      const asked = { name: `group ${made}`, description: '', members: idsOf(members), subgroups }
      const reply = await owner.post<{ group_id: number }>('/user_groups/create', asked)
      assert.equal(reply.result, 'success', reply.msg)
      return reply.group_id
    },
  }
}
