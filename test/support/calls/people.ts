import { emptyList, minusOne, noValue } from './hostile-values.ts'
import type { Maker } from './maker.ts'
import { plain, type SampleCalls } from './sample-call.ts'

/** Accounts, groups, presence and invitations. */
export function peopleCalls(make: Maker): SampleCalls {
  return {
    'GET /users/me': plain(),
    'GET /users/:user_id{-?[0-9]+}': plain({ user_id: 10 }),
    'GET /users/:email': plain({ email: 'hamlet@zulip.com' }),
    'GET /users': plain({}, { takes: { user_ids: ['a list of minus one', ...emptyList] } }),
    'PATCH /users/me/profile_data': plain(
      { data: [{ id: 1, value: 'x' }] },
      { takes: { data: emptyList } },
    ),
    'DELETE /users/me/profile_data': plain({ data: [1] }, { takes: { data: emptyList } }),
    'POST /users': () => ({
      params: {
        email: `${make.unique('new').replace(' ', '')}@example.org`,
        password: 'a long password here',
        full_name: make.unique('New Person'),
      },
      free: ['full_name', 'password'],
    }),
    'DELETE /users/me': plain({}, { as: 'prospero' }),
    'DELETE /users/:user_id{-?[0-9]+}': async () => ({
      params: { user_id: (await make.person()).id },
      free: ['deactivation_notification_comment'],
    }),
    'POST /users/:user_id{-?[0-9]+}/reactivate': async () => {
      const { id } = await make.person()
      await make.owner.del(`/users/${id}`)
      return { params: { user_id: id } }
    },
    'PATCH /users/:user_id{-?[0-9]+}': async () => ({
      params: { user_id: (await make.person()).id, full_name: make.unique('Renamed') },
      free: ['full_name'],
      takes: { profile_data: emptyList },
    }),
    'PATCH /users/:email': async () => ({
      params: { email: (await make.person()).email, full_name: make.unique('Renamed') },
      free: ['full_name'],
      takes: { profile_data: emptyList },
    }),
    'GET /users/:user_id{-?[0-9]+}/status': plain({ user_id: 10 }),
    'POST /users/me/status': plain(
      { status_text: 'Here' },
      {
        free: ['status_text'],
        takes: { emoji_name: [...minusOne, 'nothing'], scheduled_end_time: noValue },
      },
    ),
    'POST /users/:user_id{-?[0-9]+}/status': plain(
      { user_id: 10, status_text: 'There' },
      {
        free: ['status_text'],
        takes: { emoji_name: [...minusOne, 'nothing'], scheduled_end_time: noValue },
      },
    ),
    'GET /users/me/quiet_times': plain(),
    'PATCH /users/me/quiet_times': plain(
      { paused_until: null },
      { takes: { paused_until: noValue, schedule: noValue } },
    ),
    'GET /realm/presence': plain(),
    'GET /users/:user_id_or_email/presence': async () => {
      await make.server.as('member').post('/users/me/presence', { status: 'active' })
      return { params: { user_id_or_email: 'hamlet@zulip.com' } }
    },
    'POST /users/me/presence': plain({ status: 'active' }, { takes: { last_update_id: minusOne } }),
    'POST /users/me/muted_users/:muted_user_id{[0-9]+}': async () => ({
      params: { muted_user_id: (await make.person()).id },
    }),
    'DELETE /users/me/muted_users/:muted_user_id{[0-9]+}': async () => {
      const { id } = await make.person()
      await make.owner.post(`/users/me/muted_users/${id}`)
      return { params: { muted_user_id: id } }
    },
    'POST /invites/multiuse': plain(
      {},
      {
        free: ['welcome_message_custom_text'],
        takes: {
          invite_expires_in_minutes: noValue,
          group_ids: emptyList,
          stream_ids: emptyList,
        },
      },
    ),
    'POST /invites': () => ({
      params: {
        invitee_emails: `${make.unique('i').replace(' ', '')}@example.org`,
        stream_ids: [],
      },
      free: ['welcome_message_custom_text'],
      takes: {
        invite_expires_in_minutes: noValue,
        group_ids: emptyList,
        stream_ids: emptyList,
      },
    }),
    'DELETE /invites/:invite_id{-?[0-9]+}': async () => ({
      params: { invite_id: await make.invite() },
    }),
    'POST /invites/:invite_id{-?[0-9]+}/resend': async () => ({
      params: { invite_id: await make.invite() },
    }),
    'GET /invites': plain(),
    'DELETE /invites/multiuse/:invite_id{-?[0-9]+}': async () => ({
      params: { invite_id: await make.inviteLink() },
    }),
    'POST /realm/test_welcome_bot_custom_message': plain(
      { welcome_message_custom_text: 'Hello' },
      { free: ['welcome_message_custom_text'] },
    ),
    'POST /user_groups/create': () => ({
      params: { name: make.unique('Group'), description: '', members: [9] },
      free: ['name', 'description'],
    }),
    'POST /user_groups/:user_group_id/deactivate': async () => ({
      params: { user_group_id: await make.group() },
    }),
    'PATCH /user_groups/:user_group_id': async () => ({
      params: { user_group_id: await make.group(), description: 'New' },
      free: ['name', 'description'],
    }),
    'GET /user_groups': plain(),
    'GET /user_groups/:user_group_id/members': plain({ user_group_id: 2 }),
    'GET /user_groups/:user_group_id/subgroups': plain({ user_group_id: 2 }),
    'GET /user_groups/:user_group_id/members/:user_id': plain({ user_group_id: 2, user_id: 9 }),
    'POST /user_groups/:user_group_id/members': async () => ({
      params: { user_group_id: await make.group(), add: [10] },
      takes: {
        ...{ add: emptyList, delete: emptyList },
        ...{ add_subgroups: emptyList, delete_subgroups: emptyList },
      },
    }),
    'POST /user_groups/:user_group_id/subgroups': async () => ({
      params: { user_group_id: await make.group(), add: [await make.group()] },
      takes: { add: emptyList, delete: emptyList },
    }),
  }
}
