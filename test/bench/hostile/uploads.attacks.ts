import { jpegPicture, pngPicture } from '#test/support/pictures.ts'
import { type Attack, type Attacker, flood } from './attack.ts'
import { multipartType, openUpload, sending, uploading } from './client.ts'
import { head, openSocket } from './sockets.ts'

const text = (bytes: number) => Buffer.alloc(bytes, 'abcdefghij')

/** The largest picture that is shown, in pixels a side: 64 megapixels, in 200 KB. */
const side = 8000
const hugePicture = () => pngPicture(side, side)

/** Sends the beginning of an upload and goes away. */
async function breakOff(attacker: Attacker, upload: Buffer): Promise<void> {
  const type = `Content-Type: ${multipartType['content-type']}`
  const length = `Content-Length: ${upload.length + 100}`
  const socket = openSocket(attacker).resume()
  socket.write(head(attacker, 'POST /api/v1/user_uploads', type, length))
  socket.write(upload.subarray(0, Math.floor(Math.random() * upload.length)))
  await attacker.rest(Math.random() * 20)
  if (Math.random() < 0.5) socket.resetAndDestroy()
  else socket.end()
}

/** Twenty megabytes whose length nobody is told before. */
async function sendChunked(attacker: Attacker): Promise<void> {
  const type = `Content-Type: ${multipartType['content-type']}`
  const socket = openSocket(attacker).resume()
  const chunk = (bytes: Buffer) => {
    socket.write(`${bytes.length.toString(16)}\r\n`)
    socket.write(bytes)
    socket.write('\r\n')
  }
  socket.write(head(attacker, 'POST /api/v1/user_uploads', type, 'Transfer-Encoding: chunked'))
  chunk(openUpload(Buffer.alloc(0), 'a.txt', 'text/plain'))
  for (let i = 0; i < 20 && !socket.destroyed; i++) chunk(text(1_000_000))
  socket.write('0\r\n\r\n')
  await attacker.rest(500)
  socket.destroy()
}

const tus = { 'tus-resumable': '1.0.0' }

/** Begins a resumable upload. @returns its path */
const beginUpload = (length: number) => ({
  method: 'POST',
  path: '/api/v1/tus',
  headers: { ...tus, 'upload-length': String(length) },
})

/** Files and pictures: what they take while they arrive, and what is made of them. */
export const uploadAttacks: readonly Attack[] = [
  flood('uploads: without their last boundary', () => {
    const body = openUpload(text(30_000), 'a.txt', 'text/plain')
    const call = { method: 'POST', path: '/api/v1/user_uploads', headers: multipartType, body }
    return () => call
  }),
  {
    name: 'uploads: cancelled at any moment',
    async run(attacker) {
      const upload = openUpload(text(300_000), 'a.txt', 'text/plain')
      while (!attacker.isOver()) {
        await Promise.all(Array.from({ length: 8 }, () => breakOff(attacker, upload)))
      }
    },
  },
  {
    name: 'uploads: of 20 MB in chunks, under a quota of 2 MiB',
    env: { PARLEY_UPLOAD_QUOTA_MIB: '2' },
    most: { diskMegabytes: 10 },
    async run(attacker) {
      for (let i = 0; i < 15 && !attacker.isOver(); i++) await sendChunked(attacker)
    },
  },
  flood(
    'uploads: of 10 KB that no message names',
    () => (i) =>
      uploading('/user_uploads', Buffer.from(`${i}`.padEnd(10_000, 'x')), `${i}.txt`, 'text/plain'),
  ),
  flood('uploads: multipart of 50 000 parts', () => {
    const part = '--xxBoundaryxx\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
    const body = `${part.repeat(50_000)}--xxBoundaryxx--\r\n`
    return () => ({ method: 'POST', path: '/api/v1/users/me/avatar', headers: multipartType, body })
  }),
  flood('resumable uploads: thousands begun', () => () => beginUpload(25_000_000)),
  flood('resumable uploads: finished in one byte each', () => (i) => ({
    ...beginUpload(1),
    headers: {
      ...beginUpload(1).headers,
      'content-type': 'application/offset+octet-stream',
    },
    body: String(i % 10),
  })),
  {
    name: 'pictures: 64 MP avatars, abandoned',
    async run(attacker) {
      const call = uploading('/users/me/avatar', hugePicture(), 'a.png', 'image/png')
      await attacker.flood(() => ({ ...call, abandonAfterMs: 100 }), 20)
    },
  },
  {
    name: 'pictures: 64 MP emoji, waited for',
    async run(attacker) {
      const picture = hugePicture()
      await attacker.flood((i) => uploading(`/realm/emoji/huge${i}`, picture, 'a.png', 'image/png'))
    },
  },
  {
    name: 'pictures: 64 MP in messages',
    async run(attacker) {
      const call = uploading('/user_uploads', hugePicture(), 'a.png', 'image/png')
      const links: string[] = []
      for (let i = 0; i < 20 && !attacker.isOver(); i++) {
        const { url } = await attacker.ask<{ url: string }>(call)
        links.push(`[a picture](${url})`)
      }
      const place = { type: 'channel', to: attacker.world.busyChannel, topic: 'pictures' }
      const content = links.join('\n')
      await attacker.flood(() => sending('POST', '/messages', { ...place, content }))
    },
  },
  {
    name: 'pictures: small ones as avatars',
    async run(attacker) {
      const call = uploading('/users/me/avatar', jpegPicture(), 'a.jpg', 'image/jpeg')
      await attacker.flood(() => call)
    },
  },
  {
    name: 'files: 200 slow readers of 20 MB',
    async run(attacker) {
      const { url } = await attacker.ask<{ url: string }>(
        uploading('/user_uploads', text(20_000_000), 'a.txt', 'text/plain'),
      )
      for (let i = 0; i < 200 && !attacker.isOver(); i++) {
        openSocket(attacker)
          .pause()
          .write(head(attacker, `GET ${url}`))
      }
      await attacker.rest(60_000)
    },
  },
]
