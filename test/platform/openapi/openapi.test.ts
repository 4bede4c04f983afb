import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { unknownParams } from '#platform/http/decode.ts'
import { apiDocument } from '#platform/openapi/document.ts'
import { pathEntries } from '#platform/openapi/paths.ts'
import type { ApiDocument, Operation } from '#platform/openapi/types.ts'
import { createApp } from '#program/app.ts'
import { listEndpoints } from '#program/features.ts'
import { assertConforms } from '#test/support/conformance.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

async function served(path = '/api/v1/openapi.json'): Promise<ApiDocument> {
  const response = await fetch(server.url + path)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/json')
  return (await response.json()) as ApiDocument
}

const document = await served()

/** Every operation with its method and path. */
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    operation,
  })),
)

/** The names of an operation's parameters, wherever they are. */
function parameterNames({ parameters = [], requestBody }: Operation): string[] {
  const bodies = Object.values(requestBody?.content ?? {})
  const inBody = bodies.flatMap(({ schema }) => Object.keys(schema.properties ?? {}))
  return [...parameters.map(({ name }) => name), ...inBody]
}

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
    assert.ok(valid, JSON.stringify(errors))
  })

  test('is what the answers in all tests are compared with', () => {
    const made = apiDocument(listEndpoints())
    assert.deepEqual(document, JSON.parse(JSON.stringify(made)))
  })

  test('needs no account, and web pages may read it', async () => {
    const origin = 'http://localhost:3000'
    const response = await fetch(`${server.url}/api/v1/openapi.json`, { headers: { origin } })
    assert.equal(response.headers.get('access-control-allow-origin'), origin)
    assert.deepEqual((await response.json()) as ApiDocument, document)
  })

  test('refers to nothing that it does not have', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)
    const { components } = document as { components: Record<string, object> }
    const dangling = [...references].filter(
      ([, kind = '', name = '']) => !Object.hasOwn(components[kind] ?? {}, name),
    )
    assert.deepEqual(dangling, [])
  })

  test('has a default only where it is one of the possible values', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema(document, 'api')
    const schemas = operations.flatMap(({ name, operation }) => [
      ...(operation.parameters ?? []).map((parameter) => ({
        of: `${name} ${parameter.name}`,
        schema: parameter.schema ?? parameter.content?.['application/json']?.schema ?? {},
      })),
      ...Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
        Object.entries(schema.properties ?? {}).map(([of, inner]) => ({
          of: `${name} ${of}`,
          schema: typeof inner === 'object' ? inner : {},
        })),
      ),
    ])
    const withDefault = schemas.filter(({ schema }) => schema.default !== undefined)
    assert.ok(withDefault.length > 50)
    const wrong = withDefault.filter(({ schema }) => {
      const inDocument = JSON.stringify(schema).replaceAll('"#/', '"api#/')
      return !ajv.validate(JSON.parse(inDocument), schema.default)
    })
    assert.deepEqual(
      wrong.map(({ of }) => of),
      [],
    )
  })

  test('calls no two operations the same', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.deepEqual(
      ids.filter((id, i) => ids.indexOf(id) !== i),
      [],
    )
  })

  test('has a parameter for each part of a path in braces', () => {
    for (const { name, path, operation } of operations) {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      const braces = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part)
      assert.deepEqual(inPath.map((parameter) => parameter.name).sort(), braces.sort(), name)
    }
  })

  test('says of every endpoint in a sentence what it does', () => {
    for (const { name, operation } of operations) {
      assert.match(operation.summary ?? '', /^[A-Z].*[^.]\.$/, name)
    }
  })
})

const channelPermissions = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
].join(' ')

const groupPermissions = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
].join(' ')

describe('what the contract names is in the document', () => {
  // `/users/{email}` and `/users/{user_id}` are one path to OpenAPI.
  // biome-ignore format: a table reads best in columns
  const named: [method: string, path: string, parameters: string][] = [
    ['post', '/messages', 'type to content topic subject queue_id local_id read_by_sender'],
    ['get', '/messages', 'anchor include_anchor num_before num_after narrow client_gravatar apply_markdown message_ids allow_empty_topic_name use_first_unread_anchor'],
    ['get', '/messages/matches_narrow', 'msg_ids narrow'],
    ['get', '/messages/{message_id}/history', 'message_id allow_empty_topic_name'],
    ['post', '/messages/{message_id}/reactions', 'message_id emoji_name emoji_code reaction_type'],
    ['post', '/mark_topic_as_read', 'stream_id topic_name'],
    ['post', '/streams/{stream_id}/delete_topic', 'stream_id topic_name'],
    ['post', '/users/me/subscriptions', `subscriptions principals authorization_errors_fatal announce invite_only is_web_public is_default_stream history_public_to_subscribers message_retention_days topics_policy ${channelPermissions}`],
    ['patch', '/streams/{stream_id}', `stream_id description new_name is_private is_web_public history_public_to_subscribers is_default_stream message_retention_days is_archived folder_id topics_policy ${channelPermissions}`],
    ['post', '/user_topics', 'stream_id topic visibility_policy'],
    ['post', '/drafts', 'drafts'],
    ['get', '/events', 'queue_id last_event_id dont_block'],
    ['post', '/register', ''],
    ['patch', '/users/{user_id_or_email}', 'user_id_or_email full_name role profile_data new_email'],
    ['get', '/users/{user_id_or_email}', 'user_id_or_email client_gravatar include_custom_profile_fields'],
    ['post', '/user_groups/create', `name description members subgroups ${groupPermissions}`],
    ['patch', '/user_groups/{user_group_id}', `user_group_id name description deactivated ${groupPermissions}`],
    ['post', '/user_groups/{user_group_id}/deactivate', 'user_group_id'],
    ['post', '/realm/profile_fields', 'name hint field_type field_data display_in_profile_summary required editable_by_user'],
    ['post', '/invites/multiuse', 'invite_expires_in_minutes invite_as stream_ids group_ids include_realm_default_subscriptions welcome_message_custom_text'],
    ['post', '/mobile_push/register', 'token_kind push_account_id push_public_key bouncer_public_key encrypted_push_registration'],
    ['post', '/users/me/apns_device_token', 'token appid'],
    ['patch', '/navigation_views/{fragment}', 'fragment is_pinned name'],
  ]
  for (const [method, path, parameters] of named) {
    test(`${method.toUpperCase()} ${path}`, () => {
      const operation = document.paths[path]?.[method as 'get']
      assert.ok(operation, 'it is not there')
      const known = new Set(parameterNames(operation))
      const missing = parameters.split(' ').filter((name) => name !== '' && !known.has(name))
      assert.deepEqual(missing, [])
    })
  }
})

test('every path of the app below /api/v1 is in the document', () => {
  const shape = (path: string) => path.replace(/:\w+(\{[^{}]*\})?|\{\w+\}/g, '{}')
  const described = new Set(
    operations.map(({ name, path }) => `${name.split(' ')[0]} ${shape(path)}`),
  )
  const served = createApp(() => server.server.context)
    .routes.filter(({ path, method }) => path.startsWith('/api/v1/') && method !== 'ALL')
    .map(({ path, method }) => `${method} ${shape(path.slice('/api/v1'.length))}`)
  assert.deepEqual([...described].sort(), [...new Set(served)].sort())
})

describe('`ignored_parameters_unsupported` lists what the document does not declare', () => {
  test('for every endpoint', () => {
    for (const { path, alternatives } of pathEntries(listEndpoints())) {
      for (const { name, endpoint } of alternatives) {
        const operation = document.paths[path]?.[endpoint.method]
        assert.ok(operation)
        const declared = parameterNames(operation).filter(
          (each) => !path.includes(`{${each}}`) && !(endpoint.file && each === 'file'),
        )
        const raw = new Map([...declared, 'surplus'].map((each) => [each, '1']))
        assert.deepEqual(unknownParams(endpoint.params, raw), ['surplus'], name)
      }
    }
  })

  test('in a real answer, in the order in which they came', async () => {
    const reply = await server.as('member').get('/users/me', { client_gravatar: true, b: 1, a: 2 })
    assert.deepEqual(reply.ignored_parameters_unsupported, ['client_gravatar', 'b', 'a'])
  })
})

describe('an answer fails the test that meets it', () => {
  const success = { result: 'success', msg: '' }
  const rows: [string, number, object, RegExp | undefined][] = [
    ['as it should be', 200, { ...success, id: 7 }, undefined],
    ['with a member that is not declared', 200, { ...success, id: 7, more: 1 }, /"more"/],
    ['without one that is', 200, success, /'id'/],
    ['of another type', 200, { ...success, id: '7' }, /POST \/messages .*'\/id' must be integer/],
    ['with a status that is not declared', 409, { result: 'error' }, /no such status/],
    [
      'with a code that is not declared',
      400,
      { result: 'error', msg: 'No', code: 'REACTION_ALREADY_EXISTS' },
      /'\/code' must be equal/,
    ],
  ]
  for (const [what, status, body, problem] of rows) {
    test(`${problem ? '' : 'not '}${what}`, () => {
      const check = () => assertConforms('POST', '/messages', status, body)
      if (problem) assert.throws(check, problem)
      else check()
    })
  }

  test('with an event that is not declared', () => {
    const events = [{ type: 'reaction', op: 'add', id: 1 }]
    const reply = { ...success, events, queue_id: 'q' }
    const check = () => assertConforms('GET', '/events?queue_id=q', 200, reply)
    assert.throws(check, /ReactionEvent .*message_id/)
  })
})

describe('the page for people', () => {
  const load = async () => await (await fetch(`${server.url}/api/`)).text()

  test('shows every endpoint and every object under an anchor', async () => {
    const page = await load()
    const anchors = [
      ...operations.map(({ operation }) => operation.operationId),
      ...Object.keys(document.components.schemas).map((name) => `schema-${name}`),
    ]
    assert.deepEqual(
      anchors.filter((anchor) => !page.includes(`id="${anchor}"`)),
      [],
    )
  })

  test('links to nothing that is not on it', async () => {
    const page = await load()
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target)
    assert.deepEqual(
      targets.filter((target) => !page.includes(`id="${target}"`)),
      [],
    )
  })

  test('loads nothing from elsewhere and runs nothing', async () => {
    const response = await fetch(`${server.url}/api/`)
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    const page = await response.text()
    assert.doesNotMatch(page, /<script|<link[^>]+href="https?:|<img/)
  })

  test('is found without the last slash', async () => {
    const response = await fetch(`${server.url}/api`, { redirect: 'manual' })
    assert.equal(response.headers.get('location'), '/api/')
  })
})
