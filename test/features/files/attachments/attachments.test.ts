import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { scheduleFiles, unscheduleFiles } from '#features/files/attachments/claims.actions.ts'
import { findAttachment } from '#features/files/attachments/queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { graceSeconds } from '#features/organization/retention/progress.queries.ts'
import { fetchFile, upload } from '#test/support/files.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type Event, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { store, files } = server.server.context

interface Attachment {
  readonly id: number
  readonly name: string
  readonly path_id: string
  readonly size: number
  readonly create_time: number
  readonly messages: { readonly id: number; readonly date_sent: number }[]
}

async function list(
  actor: Actor,
): Promise<{ attachments: Attachment[]; upload_space_used: number }> {
  return await server.as(actor).get('/attachments')
}

const pathId = (url: string) => url.replace('/user_uploads/', '')
const link = (url: string) => `See [it](${url}).`
const now = () => server.clock.now()

/** The row of an uploaded file, as its owner sees it. */
async function ownFile(actor: Actor, url: string): Promise<Attachment | undefined> {
  return (await list(actor)).attachments.find(({ path_id }) => path_id === pathId(url))
}

const message = async (actor: Actor, id: number) =>
  (await server.as(actor).get<{ message: { content: string } }>(`/messages/${id}`)).message

/** Whether `has:attachment` finds the message. */
async function hasAttachment(actor: Actor, id: number): Promise<boolean> {
  const { messages } = await server.as(actor).get<{ messages: { id: number }[] }>('/messages', {
    narrow: [{ operator: 'has', operand: 'attachment' }],
    anchor: id,
    num_before: 0,
    num_after: 0,
  })
  return messages.some((found) => found.id === id)
}

describe('GET /attachments', () => {
  test('lists the own files, newest first, with the messages that link to them', async () => {
    const before = (await list('cordelia')).upload_space_used
    const first = await upload(server, 'cordelia', 'one.txt', 'one')
    const second = await upload(server, 'cordelia', 'two.txt', 'three')
    await upload(server, 'othello', 'other.txt', '12')
    const id = await server.say('cordelia', 'shared', 'plans', link(first))
    const { attachments, upload_space_used } = await list('cordelia')
    assert.deepEqual(
      attachments.map(({ id: _, ...rest }) => rest),
      [
        {
          name: 'two.txt',
          path_id: pathId(second),
          size: 5,
          create_time: now(),
          messages: [],
        },
        {
          name: 'one.txt',
          path_id: pathId(first),
          size: 3,
          create_time: now(),
          messages: [{ id, date_sent: now() }],
        },
      ],
    )
    assert.equal(upload_space_used, before + 10)
  })
})

describe('DELETE /attachments/{id}', () => {
  test('deletes the file, not the messages that link to it', async () => {
    const url = await upload(server, 'member', 'gone.txt', 'gone')
    const id = await server.say('member', 'public', 'plans', link(url))
    const queue = await server.as('member').watch('attachment')
    const file = await ownFile('member', url)
    const used = (await list('member')).upload_space_used
    assert.deepEqual(await server.as('member').del(`/attachments/${file?.id}`), success)
    assert.deepEqual(await queue.drain(), [
      {
        type: 'attachment',
        op: 'remove',
        attachment: { id: file?.id },
        upload_space_used: used - 4,
      },
    ])
    assert.equal(await ownFile('member', url), undefined)
    assert.equal((await fetchFile(server, 'member', url)).status, 404)
    assert.match((await message('member', id)).content, /gone\.txt/)
    assert.equal(await hasAttachment('member', id), false)
  })

  test("does not know others' files from files that do not exist", async () => {
    const url = await upload(server, 'member')
    const file = await ownFile('member', url)
    for (const actor of ['owner', 'othello', 'guest'] as const) {
      for (const id of [file?.id, 999_999, 0, -1]) {
        const reply = await server.as(actor).del(`/attachments/${id}`)
        assert.deepEqual(reply, failure('Invalid attachment'))
      }
    }
    assert.deepEqual(await ownFile('member', url), file)
  })

  test('frees the disk when the hour is over, unless another file has the same contents', async () => {
    const contents = 'the same in both'
    const hash = createHash('sha256').update(contents).digest('hex')
    const urls = [
      await upload(server, 'member', 'a.txt', contents),
      await upload(server, 'othello', 'b.txt', contents),
    ] as const
    const remove = async (actor: Actor, url: string) => {
      await server.as(actor).del(`/attachments/${(await ownFile(actor, url))?.id}`)
      server.clock.advance(3600_000)
      await server.settled()
    }
    await remove('member', urls[0])
    assert.equal(await (await fetchFile(server, 'othello', urls[1])).text(), contents)
    await remove('othello', urls[1])
    assert.equal(await files.size(hash), undefined)
  })
})

describe('attachment events', () => {
  const short = (events: readonly Event[]) =>
    events.map((event) => [
      event.op,
      (event.attachment as Attachment).messages?.map(({ id }) => id),
    ])

  test('tell the owner, and nobody else, of each upload, link and release', async () => {
    const owner = await server.as('member').watch('attachment')
    const other = await server.as('othello').watch('attachment')
    const url = await upload(server, 'member', 'news.txt', 'news')
    const [added] = await owner.drain()
    assert.deepEqual(added, {
      type: 'attachment',
      op: 'add',
      attachment: await ownFile('member', url),
      upload_space_used: (await list('member')).upload_space_used,
    })
    const first = await server.say('member', 'public', 'plans', link(url))
    assert.deepEqual(await owner.drain(), [
      {
        type: 'attachment',
        op: 'update',
        attachment: await ownFile('member', url),
        upload_space_used: (await list('member')).upload_space_used,
      },
    ])
    const second = await server.say('othello', ['zoe'], '', link(url))
    assert.deepEqual(short(await owner.drain()), [['update', [first, second]]])
    await server.as('othello').patch(`/messages/${second}`, { content: 'Never mind.' })
    assert.deepEqual(short(await owner.drain()), [['update', [first]]])
    await server.as('member').del(`/messages/${first}`)
    assert.deepEqual(short(await owner.drain()), [['remove', undefined]])
    assert.deepEqual(await other.drain(), [])
  })

  test('come from deleting a whole topic too', async () => {
    const url = await upload(server, 'member', 'topic.txt')
    const ids = [
      await server.say('member', 'public', 'doomed', link(url)),
      await server.say('othello', 'public', 'doomed', link(url)),
    ]
    const queue = await server.as('member').watch('attachment')
    const { channels } = server
    const asked = { topic_name: 'doomed' }
    await server.as('admin').post(`/streams/${channels.public}/delete_topic`, asked)
    assert.equal(ids.length, 2)
    assert.deepEqual(short(await queue.drain()), [['remove', undefined]])
    assert.equal(await ownFile('member', url), undefined)
  })
})

describe('who links to a file', () => {
  test('can be anyone who may have it: their readers may have it from then on', async () => {
    const url = await upload(server, 'member')
    await server.say('member', ['othello'], '', link(url))
    assert.equal((await fetchFile(server, 'outsider', url)).status, 404)
    await server.say('othello', 'shared', 'plans', link(url))
    assert.equal((await fetchFile(server, 'outsider', url)).status, 200)
  })

  test('changes nothing by a link to what they may not have', async () => {
    const url = await upload(server, 'member')
    const id = await server.say('outsider', 'shared', 'guesses', link(url))
    assert.equal(await hasAttachment('outsider', id), false)
    assert.deepEqual((await ownFile('member', url))?.messages, [])
    assert.equal((await fetchFile(server, 'outsider', url)).status, 404)
    const text = await server.say('outsider', 'shared', 'guesses', 'Nothing yet.')
    await server.as('outsider').patch(`/messages/${text}`, { content: link(url) })
    assert.equal((await fetchFile(server, 'outsider', url)).status, 404)
    assert.equal((await fetchFile(server, 'guest', url)).status, 404)
  })

  test('keeps a link that was made before, whatever they may have now', async () => {
    const url = await upload(server, 'member')
    const first = await server.say('member', ['othello'], '', link(url))
    const kept = await server.say('othello', 'public', 'kept', link(url))
    await server.as('member').del(`/messages/${first}`)
    await server.as('othello').patch(`/messages/${kept}`, { content: `${link(url)} Still.` })
    assert.deepEqual(
      (await ownFile('member', url))?.messages.map(({ id }) => id),
      [kept],
    )
    assert.equal(await hasAttachment('othello', kept), true)
  })
})

describe('an edit', () => {
  test('answers the own files that nothing links to anymore', async () => {
    const [kept, dropped, shared] = [
      await upload(server, 'member', 'kept.txt'),
      await upload(server, 'member', 'dropped.txt'),
      await upload(server, 'member', 'shared.txt'),
    ]
    await server.say('member', 'public', 'elsewhere', link(shared))
    const id = await server.say(
      'member',
      'public',
      'plans',
      [kept, dropped, shared].map(link).join('\n'),
    )
    const reply = await server
      .as('member')
      .patch<{ detached_uploads: Attachment[] }>(`/messages/${id}`, { content: link(kept) })
    const expected = await ownFile('member', dropped)
    assert.deepEqual(expected?.messages, [])
    assert.deepEqual(reply.detached_uploads, [expected])
    assert.equal(await hasAttachment('member', id), true)
    assert.equal((await fetchFile(server, 'othello', dropped)).status, 404)
    assert.equal((await fetchFile(server, 'othello', kept)).status, 200)
    await server.as('member').patch(`/messages/${id}`, { content: 'Nothing.' })
    assert.equal(await hasAttachment('member', id), false)
  })

  test("does not answer others' files, nor those that it keeps", async () => {
    const url = await upload(server, 'member')
    const first = await server.say('member', 'public', 'plans', link(url))
    const second = await server.say('othello', 'public', 'plans', link(url))
    await server.as('member').patch(`/messages/${first}`, { content: 'Over.' })
    assert.deepEqual(
      await server.as('othello').patch(`/messages/${second}`, { content: 'Over.' }),
      {
        ...success,
        detached_uploads: [],
      },
    )
  })

  test('can bring a file in', async () => {
    const url = await upload(server, 'member')
    const id = await server.say('member', 'public', 'plans', 'Soon.')
    await server.as('member').patch(`/messages/${id}`, { content: link(url) })
    assert.equal((await fetchFile(server, 'othello', url)).status, 200)
    assert.equal(await hasAttachment('othello', id), true)
  })

  test('that fails changes no link', async () => {
    const url = await upload(server, 'member')
    const id = await server.say('member', 'public', 'plans', link(url))
    const reply = await server.as('member').patch(`/messages/${id}`, {
      content: 'Gone.',
      prev_content_sha256: 'x',
    })
    assert.equal(reply.code, 'EXPECTATION_MISMATCH')
    assert.deepEqual(
      (await ownFile('member', url))?.messages.map((one) => one.id),
      [id],
    )
  })
})

describe('forms of a link', () => {
  const forms: [name: string, text: (url: string) => string][] = [
    ['Markdown', (url) => `[a](${url})`],
    ['a picture', (url) => `![a](${url})`],
    ['the whole address', (url) => `${server.url}${url}`],
    ['an address in text', (url) => `[a](${server.url}${url})`],
    ['an escaped one', (url) => `[a](${encodeURI(url)})`],
    ['a quote', (url) => `> [a](${url})`],
    ['a spoiler', (url) => `\`\`\`spoiler\n[a](${url})\n\`\`\``],
  ]
  for (const [name, text] of forms) {
    test(`${name} makes a file the readers' own`, async () => {
      const url = await upload(server, 'member', 'größe.png')
      await server.say('member', 'public', 'forms', text(url))
      assert.equal((await fetchFile(server, 'othello', encodeURI(url))).status, 200)
    })
  }

  test('code is no link', async () => {
    const url = await upload(server, 'member')
    await server.say('member', 'public', 'forms', `\`${url}\``)
    assert.equal((await fetchFile(server, 'othello', url)).status, 404)
  })

  test('a path that does not exist is nobody’s file', async () => {
    const id = await server.say('member', 'public', 'forms', '[a](/user_uploads/1/aa/none/a.txt)')
    assert.equal(await hasAttachment('member', id), false)
  })
})

describe('what nothing links to', () => {
  const weeks = 21 * 24 * 3600 * 1000

  test('goes after three weeks, and its contents with it', async () => {
    const url = await upload(server, 'zoe', 'forgotten.txt', 'forgotten')
    const hash = createHash('sha256').update('forgotten').digest('hex')
    server.clock.advance(weeks - 1000)
    await server.settled()
    assert.ok(await ownFile('zoe', url))
    const queue = await server.as('zoe').watch('attachment')
    server.clock.advance(1000)
    await server.settled()
    assert.equal(await ownFile('zoe', url), undefined)
    assert.deepEqual(
      (await queue.drain()).map((event) => event.op),
      ['remove'],
    )
    assert.equal(await files.size(hash), undefined)
  })

  test('waits from the edit on that let go of it, and a link in time saves it', async () => {
    const url = await upload(server, 'member')
    const id = await server.say('member', 'public', 'plans', link(url))
    server.clock.advance(weeks)
    await server.settled()
    assert.ok(await ownFile('member', url))
    await server.as('admin').patch('/realm', { message_content_edit_limit_seconds: 'unlimited' })
    const edited = await server.as('member').patch(`/messages/${id}`, { content: 'No.' })
    assert.equal(edited.result, 'success', edited.msg)
    server.clock.advance(weeks - 1000)
    await server.settled()
    assert.ok(await ownFile('member', url))
    await server.as('member').patch(`/messages/${id}`, { content: link(url) })
    server.clock.advance(weeks)
    await server.settled()
    assert.ok(await ownFile('member', url))
  })

  test('is not what a scheduled message links to: that keeps it, for its owner alone', async () => {
    const url = await upload(server, 'member')
    const author = findUser(store, server.ids.member)
    assert.ok(author)
    await store.write((tx) => scheduleFiles(tx, author, 77, [pathId(url)]))
    server.clock.advance(weeks)
    await server.settled()
    assert.ok(findAttachment(store, pathId(url)))
    assert.equal((await fetchFile(server, 'othello', url)).status, 404)
    await store.write((tx) => unscheduleFiles(tx, 77))
    server.clock.advance(weeks)
    await server.settled()
    assert.equal(findAttachment(store, pathId(url)), undefined)
  })
})

test('a scheduled message opens its file to its readers when it is sent, not before', async () => {
  const fresh = await startServer()
  try {
    const url = await upload(fresh, 'member')
    const scheduled = await fresh.as('member').post('/scheduled_messages', {
      type: 'channel',
      to: fresh.channels.public,
      topic: 'later',
      content: link(url),
      scheduled_delivery_timestamp: fresh.clock.now() / 1000 + 600,
    })
    assert.equal(scheduled.result, 'success', scheduled.msg)
    assert.equal((await fetchFile(fresh, 'othello', url)).status, 404)
    fresh.clock.advance(600_000)
    await fresh.settled()
    assert.equal((await fetchFile(fresh, 'othello', url)).status, 200)
  } finally {
    await fresh.close()
  }
})

test('a file goes with the last message that links to it when messages get too old', async () => {
  const fresh = await startServer()
  try {
    const both = await upload(fresh, 'member', 'both.txt')
    const once = await upload(fresh, 'member', 'once.txt')
    await fresh.say('member', 'public', 'old', link(both) + link(once))
    fresh.clock.advance(2 * 24 * 3600 * 1000)
    await fresh.say('member', 'public', 'new', link(both))
    const queue = await fresh.as('member').watch('attachment')
    await fresh.as('owner').patch('/realm', { message_retention_days: 1 })
    fresh.clock.advance(graceSeconds * 1000)
    await fresh.settled()
    assert.equal((await fetchFile(fresh, 'member', once)).status, 404)
    assert.equal((await fetchFile(fresh, 'othello', both)).status, 200)
    const ops = (await queue.drain()).map((event) => event.op)
    assert.deepEqual(ops.sort(), ['remove', 'update'])
  } finally {
    await fresh.close()
  }
})

test('a message shows a preview of a video only to readers of its author’s file', async () => {
  const url = await upload(server, 'member', 'clip.mp4', 'not really')
  const own = await server.say('member', 'public', 'previews', link(url))
  assert.match((await message('member', own)).content, /<video preload="metadata"/)
  const hidden = await upload(server, 'member', 'clip.mp4', 'not really')
  const foreign = await server.say('othello', 'public', 'previews', link(hidden))
  assert.doesNotMatch((await message('othello', foreign)).content, /<video/)
})
