import type { Action, Stage } from './stage.ts'

/** Messages: sent, changed, moved, marked and removed. */
export function messagesActions({
  ids,
  owner,
  member,
  guest,
  made,
  say,
  toVerona,
  toCoreTeam,
}: Stage): Action[] {
  return [
    ['a channel message', say(owner, 'first', toVerona)],
    [
      'a mention',
      say(owner, 'mention', { ...toVerona, content: '@**King Hamlet** @**Polonius**' }),
    ],
    ['a wildcard mention', say(owner, 'all', { ...toVerona, content: '@**all** hello' })],
    ['a topic wildcard', say(owner, 'topic', { ...toVerona, content: '@**topic** hello' })],
    ['a message in a private channel', say(owner, 'secret', toCoreTeam)],
    ['the empty topic', say(owner, 'empty', { ...toVerona, topic: '' })],
    ['a direct message', say(member, 'direct', { type: 'direct', to: [ids.guest] })],
    ['a group message', say(owner, 'group', { type: 'direct', to: [ids.member, ids.guest] })],
    ['a message to oneself', say(member, 'own', { type: 'direct', to: [ids.member] })],
    [
      'an edit that adds a mention',
      () => owner.patch(`/messages/${made.first}`, { content: 'Oh @**King Hamlet**' }),
    ],
    [
      'an edit that takes one away',
      () => owner.patch(`/messages/${made.mention}`, { content: 'Nobody.' }),
    ],
    [
      'a star',
      () =>
        member.post('/messages/flags', {
          messages: [made.first, made.direct],
          op: 'add',
          flag: 'starred',
        }),
    ],
    [
      'no star',
      () =>
        member.post('/messages/flags', { messages: [made.first], op: 'remove', flag: 'starred' }),
    ],
    ['a pin', () => member.post(`/messages/${made.first}/pin`)],
    ['no pin', () => member.del(`/messages/${made.first}/pin`)],
    ['a reaction', () => member.post(`/messages/${made.first}/reactions`, { emoji_name: 'tada' })],
    ['no reaction', () => member.del(`/messages/${made.first}/reactions`, { emoji_name: 'tada' })],
    [
      'a move to another topic',
      () =>
        owner.patch(`/messages/${made.first}`, { topic: 'moved', propagate_mode: 'change_all' }),
    ],
    [
      'a resolved topic',
      () =>
        owner.patch(`/messages/${made.first}`, { topic: '✔ moved', propagate_mode: 'change_all' }),
    ],
    ['a move to a private channel', () => owner.patch(`/messages/${made.all}`, { stream_id: 8 })],
    [
      'a move to a public channel',
      () => owner.patch(`/messages/${made.secret}`, { stream_id: 3, topic: 'open' }),
    ],
    [
      'some read',
      () =>
        guest.post('/messages/flags', {
          messages: [made.group, made.empty],
          op: 'add',
          flag: 'read',
        }),
    ],
    [
      'some unread again',
      () =>
        guest.post('/messages/flags', {
          messages: [made.group, made.empty, made.first],
          op: 'remove',
          flag: 'read',
        }),
    ],
    [
      'a topic read',
      () => member.post('/mark_topic_as_read', { stream_id: 3, topic_name: '✔ moved' }),
    ],
    ['everything read', () => guest.post('/mark_all_as_read')],
    ['a deleted message', () => owner.del(`/messages/${made.empty}`)],
    ['a deleted direct message', () => member.del(`/messages/${made.direct}`)],
    ['a deleted topic', () => owner.post('/streams/3/delete_topic', { topic_name: 'open' })],
    ['a poll', say(member, 'poll', { ...toVerona, content: '/poll Which?\nThis\nThat' })],
    [
      'a vote',
      () =>
        guest.post('/submessage', {
          message_id: made.poll,
          msg_type: 'widget',
          content: '{"type":"vote","key":"canned,0","vote":1}',
        }),
    ],
    ['typing', () => member.post('/typing', { op: 'start', type: 'direct', to: [ids.guest] })],
    [
      'no typing',
      () => member.post('/typing', { op: 'stop', type: 'stream', stream_id: 3, topic: 'plans' }),
    ],
    ['typing an edit', () => owner.post(`/messages/${made.first}/typing`, { op: 'start' })],
    ['typing no edit', () => owner.post(`/messages/${made.first}/typing`, { op: 'stop' })],
  ]
}
