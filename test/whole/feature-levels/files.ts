import assert from 'node:assert/strict'
import { postFiles, upload } from '#test/support/files.ts'
import { gifPicture, pngPicture } from '#test/support/pictures.ts'
import type { Level } from './tools.ts'
import * as t from './tools.ts'

/** Files, their previews and how they are uploaded. */
export const fileLevels: readonly Level[] = [
  [
    272,
    'uploads are answered with `url`, and `uri` as before',
    async (server) => {
      const { url, uri } = await postFiles(server, 'member', [new File(['x'], 'x.txt')])
      assert.ok(url)
      assert.equal(uri, url)
    },
  ],
  [
    276,
    'previews say how large the picture is, also while they are made',
    async (server) => {
      const url = await upload(server, 'member', 'a.png', new Uint8Array(pngPicture(60, 40)))
      const id = await t.send(server.as('member'), 4, 'pictures', `[a](${url})`)
      const html = String((await t.message(server.as('member'), id)).content)
      assert.match(html, /class="image-loading-placeholder"/)
      assert.match(html, /data-original-dimensions="60x40"/)
    },
  ],
  [
    285,
    'an edit answers which uploads no message links to anymore',
    async (server) => {
      const member = server.as('member')
      const url = await upload(server, 'member')
      const id = await t.send(member, 4, 'files', `[it](${url})`)
      const reply = await t.ok<{ detached_uploads: { path_id: string }[] }>(
        member.patch(`/messages/${id}`, { content: 'Nothing.' }),
      )
      assert.deepEqual(
        reply.detached_uploads.map(({ path_id }) => `/user_uploads/${path_id}`),
        [url],
      )
    },
  ],
  [
    286,
    'uploads are answered with a `filename`',
    async (server) => {
      const reply = await postFiles(server, 'member', [new File(['x'], 'größe: 1.txt')])
      assert.equal(reply.filename, 'größe_ 1.txt')
    },
  ],
  [
    287,
    'previews say whether the picture moves',
    async (server) => {
      const moving = new Uint8Array(gifPicture(60, 40, 3))
      const url = await upload(server, 'member', 'c.gif', moving)
      const id = await t.send(server.as('member'), 4, 'pictures', `[c](${url})`)
      await server.settled()
      const html = String((await t.message(server.as('member'), id)).content)
      assert.match(html, /data-animated="true"/)
    },
  ],
  [
    295,
    'files can be uploaded in several requests, by tus',
    async (server) => {
      const { email, apiKey } = server.as('member')
      const headers = {
        authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
        'tus-resumable': '1.0.0',
        'upload-length': '5',
      }
      const made = await fetch(`${server.url}/api/v1/tus`, { method: 'POST', headers })
      assert.equal(made.status, 201)
      const path = made.headers.get('location') ?? ''
      const asked = await fetch(server.url + path, { method: 'HEAD', headers })
      assert.equal(asked.headers.get('upload-offset'), '0')
    },
  ],
  [
    336,
    'previews say what type the picture has',
    async (server) => {
      const url = await upload(server, 'member', 'b.png', new Uint8Array(pngPicture(60, 40)))
      const id = await t.send(server.as('member'), 4, 'pictures', `[b](${url})`)
      await server.settled()
      const html = String((await t.message(server.as('member'), id)).content)
      assert.match(html, /data-original-content-type="image\/png"/)
      assert.match(html, /src="\/user_uploads\/thumbnail\//)
    },
  ],
  [
    405,
    'uploaded sounds can be played',
    async (server) => {
      const url = await upload(server, 'member', 'song.mp3')
      const member = server.as('member')
      const id = await t.send(member, 4, 'sounds', `![song.mp3](${url})`)
      const html = String((await t.message(member, id)).content)
      assert.match(html, new RegExp(`<audio controls preload="metadata" src="${url}"`))
    },
  ],
]
