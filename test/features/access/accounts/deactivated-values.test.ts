import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { makers } from '#test/support/making.ts'
import { success } from '#test/support/replies.ts'
import { type Event, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids } = server
const owner = server.as('owner')
const { newChannel, newGroup } = makers(server)

describe('deactivated users are in no group and no value (feature level 303)', () => {
  const value = (...direct_members: number[]) => ({ direct_members, direct_subgroups: [] })
  const both = () => value(ids.zoe, ids.prospero)
  const members = systemGroupId(server.server.context.store, 'role:members')
  const change = (params: object) => owner.patch('/realm', { ...params })

  test('everyone hears of each value that changes, when they go and when they come back', async () => {
    const group = await newGroup(['zoe', 'prospero'])
    const settings = { can_send_message_group: both(), can_administer_channel_group: both() }
    const { id: stream_id, name } = await newChannel(['owner', 'member'], settings)
    await owner.patch(`/user_groups/${group}`, { can_manage_group: { new: both() } })
    await change({ can_create_groups: { new: both() } })
    const types = ['user_group', 'realm', 'stream']
    const queue = await server.as('member').watch(...types)
    assert.deepEqual(await owner.del(`/users/${ids.prospero}`), success)
    const told = (await queue.drain()).filter(
      (event) => !isMembership(event) || event.group_id === group,
    )
    const stream = { type: 'stream', op: 'update', stream_id, name }
    const expected = (left: object) => [
      { type: 'realm', op: 'update_dict', property: 'default', data: { can_create_groups: left } },
      { type: 'user_group', op: 'update', group_id: group, data: { can_manage_group: left } },
      { ...stream, property: 'can_administer_channel_group', value: left },
      { ...stream, property: 'can_send_message_group', value: left },
      { ...stream, property: 'stream_post_policy', value: 1 },
    ]
    const gone = { type: 'user_group', op: 'remove_members', group_id: group }
    assert.deepEqual(told, [{ ...gone, user_ids: [ids.prospero] }, ...expected(value(ids.zoe))])
    assert.deepEqual(await owner.post(`/users/${ids.prospero}/reactivate`), success)
    const back = (await queue.drain()).filter(
      (event) => !isMembership(event) || event.group_id === group,
    )
    const joined = { ...gone, op: 'add_members' }
    assert.deepEqual(back, [{ ...joined, user_ids: [ids.prospero] }, ...expected(both())])
    const { state } = await server.as('member').watch(...types)
    assert.deepEqual(state.realm_can_create_groups, both())
    await change({
      can_create_groups: { new: members },
    })
  })

  test('old clients hear it too, in the numbers they know', async () => {
    const channelMakers = { direct_members: [ids.admin, ids.moderator], direct_subgroups: [] }
    await change({ can_create_public_channel_group: { new: channelMakers } })
    const queue = await server.as('member').watch('realm')
    assert.deepEqual(await owner.del(`/users/${ids.moderator}`), success)
    const [event] = await queue.drain()
    assert.deepEqual(event?.data, {
      can_create_public_channel_group: { direct_members: [ids.admin], direct_subgroups: [] },
      create_public_stream_policy: 2,
    })
    await owner.post(`/users/${ids.moderator}/reactivate`)
    await change({ can_create_public_channel_group: { new: members } })
  })

  function isMembership(event: Event): boolean {
    return event.type === 'user_group' && String(event.op).endsWith('_members')
  }
})
