import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { failure } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { catalogueLanguages, readCatalogueFile } from '../../../.build/catalogues.ts'

const server = await startServer({ config: { quotas: { linkifiers: 1 } } })
after(server.close)

const root = fileURLToPath(new URL('../../../', import.meta.url))
const catalogues = catalogueLanguages(root).map((language) => readCatalogueFile(root, language))

const playground = { name: 'Site', pygments_language: 'Ada', url_template: 'https://x.org/{code}' }
const linkifier = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.org/{id}' }
const account = { full_name: 'Somebody', email: 'some@zulip.com', password: 'correct horse' }
const message = { type: 'channel', topic: 'x', content: 'x' }
const bot = { full_name: 'Robot', short_name: 'robot', bot_type: 1 }
const long = 'x'.repeat(2000)

before(async () => {
  const owner = server.as('owner')
  const folder = await owner.post('/channel_folders/create', { name: 'Plans', description: '' })
  const site = await owner.post('/realm/playgrounds', playground)
  assert.deepEqual([folder.msg, site.msg], ['', ''])
})

interface Refused {
  readonly parameter: string | undefined
  readonly template: string
  readonly values?: object
}

const of = (parameter: string | undefined, template: string, values?: object): Refused => ({
  parameter,
  template,
  ...(values && { values }),
})

// biome-ignore format: a table reads best in columns
const table: [who: Actor, 'post' | 'patch', path: string, params: object, Refused][] = [
  ['owner',  'post',  '/realm/playgrounds', { ...playground, name: ' ' },                of('name', 'name cannot be blank')],
  ['member', 'post',  '/messages', { ...message, to: 'nowhere' },                        of('to', "Channel '{name}' does not exist", { name: 'nowhere' })],
  ['outsider', 'post', '/messages', { ...message, to: 'core team' },                     of('to', "Channel '{name}' does not exist", { name: 'core team' })],
  ['member', 'post',  '/messages', { type: 'direct', to: [999], content: 'x' },          of('to', 'Invalid user ID {id}', { id: '999' })],
  ['member', 'post',  '/messages', { type: 'direct', to: ['no@x.org'], content: 'x' },   of('to', "Invalid email '{email}'", { email: 'no@x.org' })],
  ['member', 'patch', '/messages/999', { content: 'x' },                                 of('message_id', 'Invalid message(s)')],
  ['member', 'patch', '/messages/999', {},                                               of(undefined, 'Nothing to change')],
  ['member', 'post',  '/messages/999/reactions', { emoji_name: 'tada' },                 of('message_id', 'Invalid message(s)')],
  ['member', 'post',  '/messages/flags', { messages: [999], op: 'add', flag: 'odd' },    of('flag', "Flag not editable: '{name}'", { name: 'odd' })],
  ['member', 'post',  '/messages/flags', { messages: [999], op: 'add', flag: 'starred' }, of('messages', 'Invalid message(s)')],
  ['member', 'post',  '/typing', { op: 'start', to: [999] },                             of('to', 'Invalid user ID {id}', { id: '999' })],
  ['member', 'post',  '/drafts', { drafts: [{ type: 'stream', to: [], topic: '', content: '' }] }, of('drafts', 'Must specify exactly 1 channel ID for channel messages')],
  ['member', 'post',  '/users/me/muted_users/10', {},                                    of('muted_user_id', 'Cannot mute self')],
  ['member', 'post',  '/users/me/muted_users/999', {},                                   of('muted_user_id', 'No such user')],
  ['owner',  'post',  '/users/me/subscriptions', { subscriptions: [{ name: 'Denmark' }], principals: [999] }, of('principals', 'No such user')],
  ['outsider', 'post', '/users/me/subscriptions', { subscriptions: [{ name: 'core team' }] }, of('subscriptions', 'Unable to access channel ({name}).', { name: 'core team' })],
  ['member', 'patch', '/users/me/subscriptions/999', { property: 'color', value: 'red' }, of('stream_id', 'Not subscribed to channel id {id}', { id: '999' })],
  ['member', 'post',  '/users/me/subscriptions/properties', { subscription_data: [{ stream_id: 999, property: 'color', value: 'red' }] }, of('subscription_data', 'Not subscribed to channel id {id}', { id: '999' })],
  ['member', 'patch', '/users/me/profile_data', { data: [{ id: 999, value: 'x' }] },     of('data', 'Field id {id} not found.', { id: '999' })],
  ['owner',  'post',  '/user_groups/999/members', { add: [9] },                          of('user_group_id', 'Invalid user group')],
  ['owner',  'post',  '/invites', { invitee_emails: 'hamlet@zulip.com', stream_ids: [] }, of(undefined, 'This server cannot send mail. Create an invitation link instead.')],
  ['owner',  'patch', '/streams/999', { description: 'x' },                              of('stream_id', 'Invalid channel ID')],
  ['outsider', 'patch', '/streams/8', { description: 'x' },                              of('stream_id', 'Invalid channel ID')],
  ['member', 'post',  '/nowhere', {},                                                    of(undefined, 'Not found')],
  ['owner',  'post',  '/realm/playgrounds', { ...playground, pygments_language: '{' },   of('pygments_language', 'Invalid characters in pygments language')],
  ['owner',  'post',  '/realm/playgrounds', { ...playground, url_template: 'https://x' }, of('url_template', "The URL template must have exactly one variable, named 'code'.")],
  ['owner',  'post',  '/realm/playgrounds', playground,                                  of('name', 'This language already has a playground with this name.')],
  ['owner',  'post',  '/realm/playgrounds', { ...playground, name: long },               of('name', '{name} is too long (limit: {count} characters)', { name: 'name', count: 100 })],
  ['owner',  'post',  '/realm/playgrounds', { name: 'Site' },                            of('pygments_language', "Missing '{name}' argument", { name: 'pygments_language' })],
  ['member', 'post',  '/realm/playgrounds', playground,                                  of(undefined, 'Must be an organization administrator')],
  ['owner',  'post',  '/realm/filters',     { ...linkifier, pattern: '(' },              of('pattern', 'Invalid filter pattern, or one that this server does not support.')],
  ['owner',  'post',  '/realm/filters',     { ...linkifier, url_template: 'https://{' }, of('url_template', 'Invalid URL template.')],
  ['owner',  'post',  '/realm/filters',     { ...linkifier, reverse_template: '#{id}' }, of('reverse_template', 'A reverse template needs an example input.')],
  ['owner',  'post',  '/realm/filters',     { ...linkifier, alternative_url_templates: ['https://x.org'] }, of('alternative_url_templates', 'The pattern and the URL template must have the same group names.')],
  ['owner',  'post',  '/realm/filters',     linkifier,                                   of(undefined, 'The organization has too many linkifiers (limit: {count})', { count: 1 })],
  ['owner',  'post',  '/channel_folders/create', { name: '', description: '' },          of('name', "Channel folder name can't be empty.")],
  ['owner',  'post',  '/channel_folders/create', { name: 'plans', description: '' },     of('name', "Channel folder '{name}' already exists", { name: 'plans' })],
  ['owner',  'post',  '/channels/create',   { name: ' ', subscribers: [] },              of('name', "Channel name can't be empty.")],
  ['owner',  'post',  '/channels/create',   { name: 'Denmark', subscribers: [] },        of('name', "Channel '{name}' already exists", { name: 'Denmark' })],
  ['owner',  'post',  '/user_groups/create', { name: '', description: '', members: [] }, of('name', "User group name can't be empty!")],
  ['owner',  'post',  '/user_groups/create', { name: 'a', description: long, members: [] }, of('description', '{name} is too long (limit: {count} characters)', { name: 'description', count: 1024 })],
  ['owner',  'post',  '/user_groups/create', { name: 'a', description: '', members: [999] }, of('members', 'Invalid user ID: {id}', { id: '999' })],
  ['owner',  'post',  '/users',             { ...account, email: 'nobody' },             of('email', 'This is not an email address.')],
  ['owner',  'post',  '/users',             { ...account, password: '' },                of('password', 'The password is missing.')],
  ['owner',  'post',  '/users',             { ...account, full_name: '' },               of('full_name', 'The full name is missing.')],
  ['owner',  'post',  '/users',             { ...account, email: 'hamlet@zulip.com' },   of('email', "Email '{email}' is already in use.", { email: 'hamlet@zulip.com' })],
  ['member', 'patch', '/settings',          { full_name: 'x'.repeat(101) },              of('full_name', 'The full name is too long (limit: {count} characters).', { count: 100 })],
  ['member', 'patch', '/settings',          { email: 'iago@zulip.com' },                 of('email', "Email '{email}' is already in use.", { email: 'iago@zulip.com' })],
  ['member', 'patch', '/settings',          { old_password: 'wrong', new_password: '' }, of('new_password', 'The password is missing.')],
  ['member', 'patch', '/settings',          { old_password: 'wrong', new_password: 'correct horse' }, of('old_password', 'Wrong password!')],
  ['member', 'patch', '/settings',          { timezone: 'Nowhere' },                     of('timezone', 'Invalid timezone')],
  ['member', 'post',  '/bots',              { ...bot, full_name: '' },                   of('full_name', 'The full name is missing.')],
  ['member', 'post',  '/bots',              { ...bot, short_name: '!' },                 of('short_name', 'Bad name or username')],
  ['member', 'post',  '/bots',              { ...bot, bot_type: 3, payload_url: 'x' },   of('payload_url', 'payload_url is not a URL')],
  ['member', 'post',  '/saved_snippets',    { title: ' ', content: 'x' },                of('title', '{name} cannot be blank', { name: 'title' })],
  ['owner',  'post',  '/realm/profile_fields', { field_type: 3, name: 'A', field_data: {} }, of('field_data', 'Field must have at least one choice.')],
  ['owner',  'post',  '/realm/profile_fields', { field_type: 1, name: ' ' },             of('name', 'Label cannot be blank.')],
  ['owner',  'patch', '/realm',             { name: ' ' },                               of('name', "The organization's name can't be blank.")],
  ['owner',  'post',  '/realm/domains',     { domain: '!', allow_subdomains: false },    of('domain', 'Invalid domain')],
  ['guest',  'post',  '/channels/create',   { name: 'New', subscribers: [] },            of(undefined, 'Insufficient permission')],
]

describe('a refusal names the parameter it is about, and the sentence to translate', () => {
  for (const [who, method, path, params, expected] of table) {
    test(`of ${method} ${path} with ${JSON.stringify(params).slice(0, 100)} by the ${who}`, async () => {
      const reply = await server.as(who).extended[method](path, { ...params })
      assert.equal(reply.result, 'error')
      const { parameter, msg_template: template, msg_values: values } = reply
      assert.deepEqual(
        { parameter, template, ...(values !== undefined && { values }) },
        expected,
        reply.msg,
      )
    })
  }
})

test('every sentence of the table has a translation in each language of the client', () => {
  const templates = new Set(table.map(([, , , , { template }]) => template))
  const missing = catalogues.flatMap(({ language, client }) =>
    [...templates]
      .filter((each) => typeof client[each] !== 'string')
      .map((each) => [language, each]),
  )
  assert.deepEqual(missing, [])
})

test('a client that does not ask gets the error alone, with the same message', async () => {
  const asked = { ...playground, name: ' ' }
  const plain = await server.as('owner').post('/realm/playgrounds', asked)
  const extended = await server.as('owner').extended.post('/realm/playgrounds', asked)
  assert.deepEqual(plain, failure('name cannot be blank'))
  assert.deepEqual(extended, {
    ...plain,
    parameter: 'name',
    msg_template: 'name cannot be blank',
  })
})

test('the message is the sentence with its values, in digits alone', async () => {
  const reply = await server.as('owner').extended.post('/messages', {
    type: 'channel',
    to: 'Denmark',
    topic: 'x',
    content: 'x'.repeat(1_000_000),
  })
  const values = reply.msg_values as Record<string, string | number>
  const said = String(reply.msg_template).replace(/\{(\w+)\}/g, (_, name) => String(values[name]))
  assert.equal(reply.msg, said)
  assert.ok(Number(values.count) >= 10_000)
})

test('a filter that names what is hidden or absent says so, another one does not', async () => {
  const find = (operator: string, operand: string) =>
    server.as('outsider').extended.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [{ operator, operand }],
    })
  const hidden = await find('channel', 'core team')
  const absent = await find('channel', 'no such channel')
  assert.deepEqual(hidden, absent)
  assert.deepEqual([hidden.parameter, hidden.is_unknown], ['narrow', true])
  const odd = await find('is', 'odd')
  assert.deepEqual([odd.parameter, odd.is_unknown], ['narrow', undefined])
})
