import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { apiDocument } from '#platform/openapi/document.ts'
import type { JsonSchema } from '#platform/openapi/schemas.ts'
import type { Operation } from '#platform/openapi/types.ts'
import { listEndpoints } from '#program/features.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const document = apiDocument(listEndpoints())
const owner = server.as('owner')

/** The schemas of the members of a request's body. */
function members(operation: Operation | undefined): Readonly<Record<string, JsonSchema | boolean>> {
  const bodies = Object.values(operation?.requestBody?.content ?? {})
  return Object.assign({}, ...bodies.map(({ schema }) => schema.properties ?? {}))
}

/** The longest text that the document lets a member of a request's body have. */
function longest(operation: Operation | undefined, name: string): number | undefined {
  const schema = members(operation)[name]
  return typeof schema === 'object' ? schema.maxLength : undefined
}

/** A character of two UTF-16 code units, which counts as one. */
const wide = '𝒂'

// biome-ignore format: a table reads best in columns
const rows: ['post' | 'patch' | 'put', string, string, number, Record<string, unknown>?][] = [
  ['post',  '/channel_folders/create',         'name',                        60, { description: '' }],
  ['post',  '/channel_folders/create',         'description',                 1024, { name: 'Folder' }],
  ['post',  '/channels/create',                'name',                        60,   { subscribers: [] }],
  ['post',  '/channels/create',                'description',                 1024, { name: 'Another', subscribers: [] }],
  ['patch', '/streams/{stream_id}',            'new_name',                    60],
  ['patch', '/streams/{stream_id}',            'description',                 1024],
  ['post',  '/reminders',                      'note',                        1000, { message_id: 1, scheduled_delivery_timestamp: 2_000_000_000 }],
  ['post',  '/messages/{message_id}/report',   'description',                 1000, { report_type: 'other' }],
  ['post',  '/saved_snippets',                 'title',                       60,   { content: 'x' }],
  ['post',  '/saved_snippets',                 'content',                     10_000, { title: 'x' }],
  ['post',  '/navigation_views',               'name',                        100,  { fragment: 'narrow/x', is_pinned: false }],
  ['post',  '/user_groups/create',             'name',                        100,  { description: '', members: [] }],
  ['post',  '/user_groups/create',             'description',                 1024, { name: 'Group', members: [] }],
  ['post',  '/users/me/status',                'status_text',                 60],
  ['post',  '/realm/profile_fields',           'name',                        40,   { field_type: 1 }],
  ['post',  '/realm/profile_fields',           'hint',                        80,   { field_type: 1, name: 'Field' }],
  ['patch', '/realm',                          'name',                        40],
  ['patch', '/realm',                          'description',                 1000],
  ['patch', '/realm',                          'welcome_message_custom_text', 8000],
  ['post',  '/realm/test_welcome_bot_custom_message', 'welcome_message_custom_text', 8000],
  ['patch', '/settings',                       'full_name',                   100],
]

describe('the limit of a text in the document is the one by which it is refused, in code points', () => {
  for (const [method, path, name, most, others = {}] of rows) {
    test(`${method.toUpperCase()} ${path}, ${name}`, async () => {
      assert.equal(longest(document.paths[path]?.[method], name), most)
      const at = path.replace(/\{\w+\}/, '1')
      const given = async (text: string) =>
        (await owner[method](at, { ...others, [name]: text })).msg
      assert.match(await given(wide.repeat(most + 1)), /too long|cannot exceed/)
      assert.match(
        await given('x'.repeat(most + 1)),
        new RegExp(`(limit:|exceed) ${most} characters`),
      )
      assert.doesNotMatch(await given(wide.repeat(most)), /too long|cannot exceed/)
    })
  }

  test('full names wherever they are sent', () => {
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
    const limits = operations.flatMap((one) =>
      'full_name' in members(one) ? [longest(one, 'full_name')] : [],
    )
    assert.ok(limits.length >= 5)
    assert.deepEqual(new Set(limits), new Set([100]))
  })
})
