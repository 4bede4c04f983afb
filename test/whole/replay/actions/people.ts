import type { Action, Stage } from './stage.ts'

/** Groups, accounts and bots. */
export function peopleActions({
  ids,
  owner,
  member,
  bot,
  cordelia,
  upload,
  made,
  keep,
  toVerona,
}: Stage): Action[] {
  return [
    [
      'a group',
      keep('crew', 'group_id', () =>
        member.post('/user_groups/create', {
          name: 'crew',
          description: 'Hands',
          members: [ids.member, ids.guest],
        }),
      ),
    ],
    [
      'another group',
      keep('cast', 'group_id', () =>
        owner.post('/user_groups/create', {
          name: 'cast',
          description: '',
          members: [ids.owner],
          subgroups: [made.crew],
          can_join_group: 6,
        }),
      ),
    ],
    [
      'members',
      () =>
        member.post(`/user_groups/${made.crew}/members`, {
          add: [ids.outsider],
          delete: [ids.guest],
        }),
    ],
    ['subgroups', () => owner.post(`/user_groups/${made.cast}/subgroups`, { delete: [made.crew] })],
    [
      'subgroups again',
      () => owner.post(`/user_groups/${made.cast}/subgroups`, { add: [made.crew] }),
    ],
    [
      'a renamed group',
      () =>
        member.patch(`/user_groups/${made.crew}`, { name: 'hands', can_mention_group: { new: 6 } }),
    ],
    [
      'a group that decides',
      () => owner.patch('/realm', { can_create_private_channel_group: { new: made.crew } }),
    ],
    [
      'who is in it',
      () => owner.post(`/user_groups/${made.crew}/members`, { delete: [ids.outsider] }),
    ],
    [
      'a group that does not',
      () => owner.patch('/realm', { can_create_private_channel_group: { new: 6 } }),
    ],
    [
      'no subgroup',
      () => owner.post(`/user_groups/${made.cast}/subgroups`, { delete: [made.crew] }),
    ],
    ['a deactivated group', () => member.post(`/user_groups/${made.crew}/deactivate`)],
    ['its name', () => owner.patch(`/user_groups/${made.crew}`, { description: 'Old hands' })],
    [
      'its return as a group',
      () => member.patch(`/user_groups/${made.crew}`, { deactivated: false }),
    ],

    [
      'a new user',
      keep('user', 'user_id', () =>
        owner.post('/users', {
          email: 'yorick@zulip.com',
          full_name: 'Yorick',
          password: 'alas poor yorick',
        }),
      ),
    ],
    [
      'a moderator',
      () =>
        owner.patch(`/users/${made.user}`, {
          role: 300,
          full_name: 'Poor Yorick',
          profile_data: [{ id: 2, value: '*Alas*' }],
        }),
    ],
    ['a guest', () => owner.patch(`/users/${made.user}`, { role: 600 })],
    ['a deactivated user', () => owner.del(`/users/${made.user}`)],
    ['a reactivated user', () => owner.post(`/users/${made.user}/reactivate`)],
    ['a member who moderates', () => owner.patch(`/users/${ids.member}`, { role: 300 })],
    ['a member who administers', () => owner.patch(`/users/${ids.member}`, { role: 200 })],
    ['a member again', () => owner.patch(`/users/${ids.member}`, { role: 400 })],
    ['a guest who becomes a member', () => owner.patch(`/users/${ids.guest}`, { role: 400 })],
    ['and a guest again', () => owner.patch(`/users/${ids.guest}`, { role: 600 })],
    ['a deactivated subscriber', () => owner.del(`/users/${ids.othello}`)],
    ['a subscriber who returns', () => owner.post(`/users/${ids.othello}/reactivate`)],
    [
      'a bot',
      keep('bot', 'user_id', () =>
        member.post('/bots', { full_name: 'Clown', short_name: 'clown' }),
      ),
    ],
    ['a renamed bot', () => member.patch(`/bots/${made.bot}`, { full_name: 'First Clown' })],
    ['another owner', () => owner.patch(`/bots/${made.bot}`, { bot_owner_id: ids.owner })],
    ['no bot', () => owner.del(`/bots/${made.bot}`)],
    ['its comeback', () => owner.post(`/users/${made.bot}/reactivate`)],
    ['a picture', () => upload('/users/me/avatar', 'me.png')],
    ['no picture', () => member.del('/users/me/avatar')],
    ['a message of a bot', () => bot.post('/messages', { ...toVerona, content: 'Beep.' })],
    [
      'a message to a bot',
      () => cordelia.post('/messages', { type: 'direct', to: [ids.bot], content: 'Beep?' }),
    ],
  ]
}
