import type { Action, Stage } from './stage.ts'

/** The organization: its settings, emoji, linkifiers, fields and folders. */
export function realmActions({
  ids,
  owner,
  admin,
  member,
  uploadAsAdmin,
  made,
  keep,
  one,
}: Stage): Action[] {
  return [
    [
      'defaults',
      () => owner.patch('/realm/user_settings_defaults', { enter_sends: false, color_scheme: 3 }),
    ],
    [
      'the organization',
      () =>
        owner.patch('/realm', {
          name: 'Elsinore',
          description: 'A castle',
          topics_policy: 'disable_empty_topic',
          message_content_edit_limit_seconds: null,
          enable_spectator_access: true,
        }),
    ],
    [
      'its history policy',
      () => owner.patch('/realm', { message_edit_history_visibility_policy: 'none' }),
    ],
    [
      'its permissions',
      () =>
        owner.patch('/realm', {
          can_create_public_channel_group: { new: 4 },
          can_mention_many_users_group: { new: 7 },
          can_add_subscribers_group: { new: one(ids.member) },
          can_invite_users_group: { new: 3 },
        }),
    ],
    [
      'its permissions back',
      () =>
        owner.patch('/realm', {
          can_create_public_channel_group: { new: 6 },
          can_add_subscribers_group: { new: 6 },
        }),
    ],
    [
      'a domain',
      () => owner.post('/realm/domains', { domain: 'example.org', allow_subdomains: false }),
    ],
    ['its subdomains', () => owner.patch('/realm/domains/example.org', { allow_subdomains: true })],
    ['no domain', () => owner.del('/realm/domains/example.org')],
    [
      'a linkifier',
      keep('linkifier', 'id', () =>
        admin.post('/realm/filters', {
          pattern: 'T(?P<id>[0-9]+)',
          url_template: 'https://example.com/{id}',
        }),
      ),
    ],
    ['no linkifier', () => admin.del(`/realm/filters/${made.linkifier}`)],
    [
      'a playground',
      keep('playground', 'id', () =>
        admin.post('/realm/playgrounds', {
          name: 'Play',
          pygments_language: 'Python',
          url_template: 'https://example.com/{code}',
        }),
      ),
    ],
    ['no playground', () => admin.del(`/realm/playgrounds/${made.playground}`)],
    ['an emoji', () => uploadAsAdmin('/realm/emoji/dot', 'dot.png')],
    ['no emoji', () => admin.del('/realm/emoji/dot')],
    [
      'a field',
      keep('field', 'id', () =>
        admin.post('/realm/profile_fields', { name: 'Shoe size', field_type: 1 }),
      ),
    ],
    ['a changed field', () => admin.patch(`/realm/profile_fields/${made.field}`, { hint: 'EU' })],
    ['no field', () => admin.del(`/realm/profile_fields/${made.field}`)],
    ['a field less of which there were values', () => admin.del('/realm/profile_fields/1')],
    [
      'a folder',
      keep('folder', 'channel_folder_id', () =>
        admin.post('/channel_folders/create', { name: 'Plays', description: 'All of *them*' }),
      ),
    ],
    [
      'a changed folder',
      () => admin.patch(`/channel_folders/${made.folder}`, { name: 'Tragedies', description: '' }),
    ],
    ['another order', () => admin.patch('/channel_folders', { order: [made.folder, 2, 1] })],
    [
      'an archived folder',
      () => admin.patch(`/channel_folders/${made.folder}`, { is_archived: true }),
    ],
    ['an export', () => owner.post('/export/realm')],
    [
      'a phone',
      () =>
        member.post('/mobile_push/register', {
          token_kind: 'fcm',
          push_account_id: 7,
          push_public_key: Buffer.alloc(32, 7).toString('base64'),
          bouncer_public_key: 'key',
          encrypted_push_registration: Buffer.from('sealed').toString('base64'),
        }),
    ],
    ['invitation link', keep('invite', 'id', () => owner.post('/invites/multiuse', {}))],
  ]
}
