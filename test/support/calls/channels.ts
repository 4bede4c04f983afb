import { permissionRules } from '#features/foundation/permissions/table.ts'
import { emptyList, minusOne, noValue, someWords } from './hostile-values.ts'
import { type Maker, withChannel } from './maker.ts'
import { plain, type SampleCalls } from './sample-call.ts'

/** What a new channel is made with does not matter where the channel is there. */
const ofNewChannels = Object.fromEntries(
  [...Object.keys(permissionRules.stream), 'folder_id'].map((name) => [name, minusOne]),
)

/** Channels, subscriptions, topics and folders. */
export function channelCalls(make: Maker): SampleCalls {
  return {
    'POST /default_streams': withChannel(make),
    'DELETE /default_streams': withChannel(make),
    'DELETE /streams/:stream_id{[0-9]+}': withChannel(make),
    'POST /channels/create': () => ({
      params: { name: make.unique('created'), subscribers: [9] },
      free: ['name', 'description'],
    }),
    'PATCH /streams/:stream_id{[0-9]+}': withChannel(
      make,
      { description: 'New' },
      { free: ['description', 'new_name'], takes: { folder_id: noValue } },
    ),
    'GET /streams/:stream_id{[0-9]+}': withChannel(make),
    'GET /get_stream_id': plain({ stream: 'Verona' }, { free: ['stream'] }),
    'GET /streams': plain(),
    'GET /streams/:stream_id{[0-9]+}/email_address': withChannel(make),
    'GET /streams/:stream_id{[0-9]+}/members': withChannel(make),
    'GET /users/me/:stream_id{[0-9]+}/topics': withChannel(make),
    'GET /users/:user_id{[0-9]+}/channels': plain({ user_id: 10 }),
    'GET /users/:user_id{[0-9]+}/subscriptions/:stream_id{[0-9]+}': withChannel(make, {
      user_id: 10,
    }),
    'GET /users/me/subscriptions': plain(),
    'POST /users/me/subscriptions': plain(
      { subscriptions: [{ name: 'Verona' }] },
      { takes: { subscriptions: emptyList, principals: emptyList, ...ofNewChannels } },
    ),
    'DELETE /users/me/subscriptions': plain(
      { subscriptions: ['Verona'] },
      { takes: { subscriptions: someWords, principals: emptyList } },
    ),
    'POST /users/me/subscriptions/properties': plain(
      { subscription_data: [{ stream_id: 9, property: 'color', value: '#aabbcc' }] },
      { takes: { subscription_data: emptyList } },
    ),
    'PATCH /users/me/subscriptions/:stream_id{[0-9]+}': plain({
      ...{ stream_id: 9, property: 'color', value: '#aabbcc' },
    }),
    'PATCH /users/me/subscriptions': plain(
      { add: [{ name: 'Verona' }] },
      { takes: { delete: someWords } },
    ),
    'PATCH /users/me/subscriptions/muted_topics': plain(
      { stream_id: 3, topic: 'plans', op: 'add' },
      { free: ['topic'] },
    ),
    'POST /user_topics': plain(
      { stream_id: 3, topic: 'plans', visibility_policy: 1 },
      { free: ['topic'] },
    ),
    'POST /channel_folders/create': () => ({
      params: { name: make.unique('Folder'), description: '' },
      free: ['name', 'description'],
    }),
    'PATCH /channel_folders/:channel_folder_id{[0-9]+}': async () => ({
      params: { channel_folder_id: await make.folder(), description: 'New' },
      free: ['name', 'description'],
    }),
    'GET /channel_folders': plain(),
    'PATCH /channel_folders': async () => {
      const { channel_folders } = await make.owner.get<{ channel_folders: { id: number }[] }>(
        '/channel_folders',
        { include_archived: true },
      )
      return { params: { order: channel_folders.map(({ id }) => id) } }
    },
  }
}
