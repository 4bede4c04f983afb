import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { CallError } from '#client/api/api.ts'
import type { Compose } from '#client/app.ts'
import { createCompose } from '#client/compose/create-compose.ts'
import { createDrafts, type Drafts } from '#client/compose/drafts.ts'
import { createEdits, type Edits } from '#client/compose/edits.ts'
import type { SendFile } from '#client/compose/uploaded.ts'
import { createUploads, type Uploads } from '#client/compose/uploads.ts'
import { topicConversation } from '#client/state/from-wire.ts'
import { upload as uploadTo } from '#test/support/files.ts'
import { startServer } from '#test/support/server.ts'
import { apiOf, follow, memoryStorage } from '../state/support.ts'

const server = await startServer()
after(server.close)
const member = server.as('member')
const plans = topicConversation(server.channels.shared, 'plans')
const lunch = topicConversation(server.channels.shared, 'lunch')

let drafts: Drafts
let compose: Compose
let edits: Edits
let uploads: Uploads
let notices: string[]
/** Lets the upload that waits go on: to the server, or into an error. */
let finish: (error?: CallError) => void

const send: SendFile = async (file, { onProgress, signal }) => {
  await new Promise<void>((resolve, reject) => {
    finish = (error) => (error ? reject(error) : resolve())
    signal.addEventListener('abort', () => reject(new CallError('', 'ABORTED', 0)))
    onProgress(0.5)
  })
  return { name: file.name, url: await uploadTo(server, 'member', file.name) }
}

beforeEach(async () => {
  const { store } = await follow(server, member)
  const storage = memoryStorage()
  drafts = createDrafts({ api: apiOf(member), store, storage, clock: server.clock })
  edits = createEdits({ store, storage, clock: server.clock })
  compose = createCompose(store, drafts)
  notices = []
  uploads = createUploads({
    store,
    send,
    replace: (part, by) => [compose, drafts, edits].some((texts) => texts.replacePart(part, by)),
    notify: (text) => void notices.push(text),
  })
  compose.open(plans)
})
afterEach(() => {
  drafts.stop()
  edits.stop()
})

const folder = mkdtempSync(join(tmpdir(), 'parley-uploads-'))
after(() => rmSync(folder, { recursive: true }))
const file = (name = 'plan.txt') => new File(['The plan'], name)
/** Adds a file to the compose box; returns the promise of its end. */
const add = () => uploads.add([file()], (placeholder) => compose.insert(placeholder))

describe('a file that was added to a text', () => {
  test('is a placeholder with its progress, and then a link', async () => {
    compose.setText('See: ')
    const added = add()
    const { text } = compose.state.value
    assert.match(text, /^See: \[Uploading plan\.txt… \(.+\)\]\(\)$/)
    const [shown] = uploads.within(text)
    assert.equal(shown?.progress.value, 0.5)
    assert.deepEqual(uploads.within('Another text'), [])
    finish()
    await added
    assert.match(compose.state.value.text, /^See: \[plan\.txt\]\(\/user_uploads\/.+plan\.txt\)$/)
    assert.deepEqual(uploads.all.value, [])
  })

  test('goes into the draft where it was begun, whatever conversation is open by then', async () => {
    const added = add()
    compose.open(lunch)
    compose.setText('Pizza?')
    finish()
    await added
    assert.equal(compose.state.value.text, 'Pizza?')
    assert.match(drafts.find(plans)?.content ?? '', /^\[plan\.txt\]\(\/user_uploads/)
    compose.open(plans)
    assert.match(compose.state.value.text, /^\[plan\.txt\]\(\/user_uploads/)
  })

  test('goes into the draft also where the compose box is closed', async () => {
    const added = add()
    compose.close()
    finish()
    await added
    assert.match(drafts.find(plans)?.content ?? '', /^\[plan\.txt\]\(\/user_uploads/)
    assert.equal(compose.state.value.text, '')
  })

  test('goes into the edit of a message where it was begun there', async () => {
    const edit = { messageId: 7, original: 'Before' }
    const added = uploads.add([file()], (placeholder) =>
      edits.write({ ...edit, text: `Before ${placeholder}` }),
    )
    edits.close()
    finish()
    await added
    assert.match(edits.get(7)?.text ?? '', /^Before \[plan\.txt\]\(\/user_uploads/)
  })

  test('leaves nothing where it is cancelled or fails', async () => {
    compose.setText('See: ')
    const cancelled = add()
    const [running] = uploads.all.value
    assert.ok(running)
    uploads.cancel(running)
    await cancelled
    assert.deepEqual([compose.state.value.text, notices], ['See: ', []])

    const failed = add()
    finish(new CallError('No room', 'BAD_REQUEST', 400))
    await failed
    assert.equal(compose.state.value.text, 'See: ')
    assert.deepEqual(notices, ['plan.txt was not sent: No room'])
  })

  const gone: [what: string, change: (path: string) => void][] = [
    ['changed', (path) => appendFileSync(path, ' is another one')],
    ['removed', (path) => rmSync(path)],
  ]
  for (const [what, change] of gone) {
    test(`leaves nothing, and says why, where it was ${what} before it was sent`, async () => {
      const path = join(folder, `${what}.txt`)
      writeFileSync(path, 'The plan')
      const chosen = new File([await openAsBlob(path)], 'plan.txt')
      change(path)
      compose.setText('See: ')
      const added = uploads.add([chosen], (placeholder) => compose.insert(placeholder))
      finish(new CallError('', 'NETWORK', 0))
      await added
      assert.equal(compose.state.value.text, 'See: ')
      assert.deepEqual(uploads.all.value, [])
      assert.deepEqual(notices, [
        'plan.txt was not sent: It cannot be read: it is a folder, or was changed or removed.',
      ])
    })
  }

  const passing = [
    ['the network', new CallError('', 'NETWORK', 0), 'The connection was lost.'],
    ['the server', new CallError('Broken', 'INTERNAL', 500), 'Broken'],
    ['a proxy', new CallError('Gateway', 'UNREADABLE', 502), 'Gateway'],
    ['the limit of calls', new CallError('Too fast', 'RATE_LIMIT_HIT', 429), 'Too fast'],
    ['the session', new CallError('Logged out', 'UNAUTHORIZED', 401), 'Logged out'],
  ] as const
  for (const [what, error, problem] of passing) {
    test(`keeps its place where ${what} broke it off, until it is sent again or removed`, async () => {
      compose.setText('See: ')
      await Promise.all([add(), finish(error)])
      const [broken] = uploads.all.value
      assert.ok(broken)
      assert.equal(broken.problem.value, problem)
      assert.deepEqual(notices, [`plan.txt was not sent: ${problem}`])
      const { text } = compose.state.value
      assert.equal(uploads.within(text)[0], broken)
      // In whatever conversation by then.
      compose.open(lunch)
      uploads.retry(broken)
      assert.deepEqual([broken.problem.value, broken.progress.value], [undefined, 0.5])
      finish(error)
      await new Promise(setImmediate)
      assert.equal(broken.problem.value, problem)
      uploads.retry(broken)
      finish()
      while (uploads.all.value.length > 0) await new Promise(setImmediate)
      assert.match(drafts.find(plans)?.content ?? '', /^See: \[plan\.txt\]\(\/user_uploads/)
    })
  }

  test('leaves nothing where it broke off and is removed', async () => {
    compose.setText('See: ')
    await Promise.all([add(), finish(new CallError('', 'NETWORK', 0))])
    const [broken] = uploads.all.value
    assert.ok(broken)
    uploads.cancel(broken)
    assert.deepEqual([compose.state.value.text, uploads.all.value], ['See: ', []])
    // A late click finds nothing to do.
    uploads.retry(broken)
    assert.deepEqual(uploads.all.value, [])
  })

  test('comes into no other text where the user deleted its placeholder', async () => {
    const added = add()
    compose.setText('Never mind')
    finish()
    await added
    assert.equal(compose.state.value.text, 'Never mind')
    assert.match(notices.join(), /the message it belonged to is gone/)
  })

  test('has no brackets in its label, which would end it', async () => {
    const added = uploads.add([file('a [b](c).txt')], (placeholder) => compose.insert(placeholder))
    assert.match(compose.state.value.text, /^\[Uploading a b\(c\)\.txt…/)
    finish()
    await added
    assert.match(compose.state.value.text, /^\[a b\(c\)\.txt\]/)
  })
})
