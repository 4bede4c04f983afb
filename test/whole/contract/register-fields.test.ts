import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setUserSetting } from '#features/foundation/users/settings.queries.ts'
import { fillUp, requireFilled } from '#test/support/filled.ts'
import { queue, version } from '#test/support/record-shapes.ts'
import { type CallParams, startServer, type Watch } from '#test/support/server.ts'
import { misfits, type Shape } from '#test/support/shapes.ts'
import { entries } from './register-shapes.ts'

const server = await startServer()
after(server.close)

type State = Watch['state']
const always: Record<string, Shape> = { ...queue, ...version }
const envelope = ['msg', 'result']

await fillUp(server)

async function stateFor(params: CallParams & { client_capabilities?: object }): Promise<State> {
  const client_capabilities = { ...params.client_capabilities, extended_members: true }
  return (await server.as('member').watchWith({ ...params, client_capabilities })).state
}

/** The state has these members in these forms, and none besides if `exactly`. */
function requireShape(state: State, shape: Record<string, Shape>, exactly = false): void {
  assert.deepEqual(misfits(state, shape), [])
  if (exactly) {
    assert.deepEqual(Object.keys(state).sort(), [...Object.keys(shape), ...envelope].sort())
  }
}

describe('each fetch event type brings its own members and nothing else', () => {
  for (const [type, shape] of Object.entries(entries)) {
    test(type, async () => {
      const state = await stateFor({ fetch_event_types: [type] })
      requireShape(state, { ...always, ...shape }, true)
      requireFilled(state)
    })
  }
})

test('a client that names no types gets every member', async () => {
  const state = await stateFor({})
  const everything = Object.assign({}, always, ...Object.values(entries))
  requireShape(state, everything, true)
})

test('types that the server does not know are ignored', async () => {
  requireShape(await stateFor({ fetch_event_types: ['no_such_type'] }), always, true)
})

test('event types choose the state too, unless fetch event types do', async () => {
  const state = await stateFor({ event_types: ['alert_words'] })
  requireShape(state, { ...always, alert_words: ['str'] }, true)
  const both = await stateFor({ event_types: ['alert_words'], fetch_event_types: ['giphy'] })
  requireShape(both, { ...always, giphy_api_key: 'str' }, true)
})

test('linkifiers are sent to clients that support URL templates', async () => {
  const capable = { linkifier_url_template: true }
  const types = { fetch_event_types: ['realm_linkifiers', 'realm_filters'] }
  const old = await stateFor(types)
  assert.deepEqual(old.realm_linkifiers, [])
  const state = await stateFor({ ...types, client_capabilities: capable })
  const linkifier = {
    id: 'int',
    pattern: 'str',
    url_template: 'str',
    example_input: 'str?',
    reverse_template: 'str?',
    alternative_url_templates: ['str'],
  } as const
  requireShape(state, { ...always, realm_linkifiers: [linkifier], realm_filters: ['any'] }, true)
  assert.equal((state.realm_linkifiers as []).length, 3)
  assert.deepEqual(state.realm_filters, [])
})

test('settings are not sent twice to clients that support the settings object', async () => {
  const state = await stateFor({
    fetch_event_types: ['update_display_settings', 'update_global_notifications'],
    client_capabilities: { user_settings_object: true },
  })
  requireShape(state, always, true)
})

test('drafts are left out for a user who does not synchronize them', async () => {
  const { store } = server.server.context
  const set = (value: boolean) =>
    store.write((tx) =>
      setUserSetting(tx, server.ids.member, 'enable_drafts_synchronization', value),
    )
  await set(false)
  assert.deepEqual((await stateFor({ fetch_event_types: ['drafts'] })).drafts, [])
  await set(true)
  assert.equal(((await stateFor({ fetch_event_types: ['drafts'] })).drafts as []).length, 1)
})
