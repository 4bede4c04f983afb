import {
  decimals,
  emptyList,
  looseObjects,
  minusOne,
  names,
  noValue,
  someWords,
} from './hostile-values.ts'
import type { Maker } from './maker.ts'
import { plain, type SampleCalls } from './sample-call.ts'

/** The organization. */
export function realmCalls(make: Maker): SampleCalls {
  return {
    'GET /server_settings': plain(),
    'PATCH /realm': plain(
      { digest_weekday: 2 },
      {
        free: [
          ...['description', 'name', 'default_code_block_language'],
          ...['empty_topic_display_name', 'welcome_message_custom_text'],
        ],
        takes: {
          jitsi_server_url: noValue,
          message_content_delete_limit_seconds: noValue,
          message_content_edit_limit_seconds: noValue,
          move_messages_between_streams_limit_seconds: noValue,
          move_messages_within_stream_limit_seconds: noValue,
          message_retention_days: minusOne,
          moderation_request_channel_id: minusOne,
          new_stream_announcements_stream_id: minusOne,
          signup_announcements_stream_id: minusOne,
          zulip_update_announcements_stream_id: minusOne,
        },
      },
    ),
    'PATCH /realm/user_settings_defaults': plain({ color_scheme: 2 }),
    'POST /realm/profile_fields': () => ({
      params: { name: make.unique('Field'), field_type: 1 },
      free: ['name', 'hint'],
    }),
    'PATCH /realm/profile_fields/:field_id': async () => ({
      params: { field_id: await make.field(), hint: 'New' },
      free: ['name', 'hint'],
      takes: { field_data: looseObjects },
    }),
    'GET /realm/profile_fields': plain(),
    'PATCH /realm/profile_fields': async () => {
      const { custom_fields } = await make.owner.get<{ custom_fields: { id: number }[] }>(
        '/realm/profile_fields',
      )
      return { params: { order: custom_fields.map(({ id }) => id) } }
    },
    'DELETE /realm/profile_fields/:field_id': async () => ({
      params: { field_id: await make.field() },
    }),
    'GET /realm/emoji': plain(),
    'POST /realm/emoji/:emoji_name': plain(
      { emoji_name: 'dot' },
      { picture: true, takes: { emoji_name: [...names, ...minusOne] } },
    ),
    'DELETE /realm/emoji/:emoji_name': plain(
      { emoji_name: 'green_tick' },
      { free: ['emoji_name'] },
    ),
    'POST /realm/icon': plain({}, { picture: true }),
    'DELETE /realm/icon': plain(),
    'POST /realm/logo': plain({ night: false }, { picture: true }),
    'DELETE /realm/logo': plain({ night: false }),
    'POST /realm/filters': () => ({
      params: {
        pattern: `${make.unique('Y').replace(' ', '')}-(?P<id>[0-9]+)`,
        url_template: 'https://example.com/{id}',
      },
      free: ['example_input'],
      takes: { reverse_template: ['nothing'], alternative_url_templates: emptyList },
    }),
    'PATCH /realm/filters/:filter_id{[0-9]+}': async () => ({
      params: {
        filter_id: await make.linkifier(),
        pattern: `${make.unique('Z').replace(' ', '')}-(?P<id>[0-9]+)`,
        url_template: 'https://example.com/{id}',
      },
      free: ['example_input'],
      takes: { reverse_template: ['nothing'], alternative_url_templates: emptyList },
    }),
    'POST /realm/linkifiers/preview': plain(
      {
        pattern: '#(?P<id>[0-9]+)',
        url_template: 'https://example.com/{id}',
        example_input: 'See #7.',
      },
      {
        free: ['pattern', 'url_template', 'example_input', 'reverse_template'],
        takes: { alternative_url_templates: someWords },
      },
    ),
    'GET /server/status': plain({}, { fails: 'BAD_REQUEST' }),
    'POST /server/backups': plain({}, { fails: 'BAD_REQUEST' }),
    'POST /server/backups/:name/download': plain(
      { name: 'x', password: 'desdemona-password' },
      { fails: 'BAD_REQUEST', free: ['name'] },
    ),
    'DELETE /server/backups/:name': plain({ name: 'x' }, { fails: 'BAD_REQUEST', free: ['name'] }),
    'POST /server/test_mail': plain({}, { fails: 'BAD_REQUEST' }),
    'GET /export/history': plain(),
    'POST /export/history': plain(
      { format: 'archive', password: 'desdemona-password' },
      { fails: 'BAD_REQUEST' },
    ),
    'POST /export/history/:export_id{[0-9]+}/download': plain(
      { export_id: 1, password: 'desdemona-password' },
      { fails: 'BAD_REQUEST' },
    ),
    'DELETE /export/history/:export_id{[0-9]+}': plain({ export_id: 1 }, { fails: 'BAD_REQUEST' }),
    'GET /realm/linkifiers': plain(),
    'DELETE /realm/filters/:filter_id{[0-9]+}': async () => ({
      params: { filter_id: await make.linkifier() },
    }),
    'PATCH /realm/linkifiers': async () => {
      const { linkifiers } = await make.owner.get<{ linkifiers: { id: number }[] }>(
        '/realm/linkifiers',
      )
      return { params: { ordered_linkifier_ids: linkifiers.map(({ id }) => id) } }
    },
    'POST /realm/playgrounds': () => ({
      params: {
        name: make.unique('Playground'),
        pygments_language: 'Python',
        url_template: 'https://example.com/{code}',
      },
      free: ['name', 'pygments_language'],
    }),
    'DELETE /realm/playgrounds/:playground_id{[0-9]+}': async () => ({
      params: { playground_id: await make.playground() },
    }),
    'GET /realm/domains': plain(),
    'POST /realm/domains': () => ({
      takes: { domain: decimals },
      params: {
        domain: `${make.unique('e').replace(' ', '')}.example.com`,
        allow_subdomains: true,
      },
    }),
    'PATCH /realm/domains/:domain': async () => ({
      takes: { domain: decimals },
      params: { domain: await make.domain(), allow_subdomains: true },
    }),
    'DELETE /realm/domains/:domain': async () => ({
      params: { domain: await make.domain() },
      takes: { domain: decimals },
    }),
    'POST /export/realm': async () => {
      await make.server.settled()
      return {}
    },
    'GET /export/realm': plain(),
    'GET /export/realm/consents': plain(),
    'DELETE /export/realm/:export_id{[0-9]+}': async () => {
      await make.server.settled()
      const export_id = await make.export()
      await make.server.settled()
      return { params: { export_id } }
    },
    'GET /calls/bigbluebutton/create': plain(
      { meeting_name: 'x' },
      { fails: 'BAD_REQUEST', free: ['meeting_name'] },
    ),
    'POST /calls/nextcloud_talk/create': plain(
      { room_name: 'x' },
      { fails: 'BAD_REQUEST', free: ['room_name'] },
    ),
    'POST /calls/constructorgroups/create': plain({}, { fails: 'BAD_REQUEST' }),
    'GET /gifs': plain({ query: 'x', from: '' }, { fails: 'BAD_REQUEST', free: ['query', 'from'] }),
    'POST /calls/zoom/create': plain({ is_video_call: true }, { fails: 'BAD_REQUEST' }),
    'POST /realm/deactivate': plain({ deletion_delay_days: null }),
  }
}
