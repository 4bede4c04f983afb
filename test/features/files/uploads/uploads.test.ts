import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { after, describe, test } from 'node:test'
import { deleteAttachment, insertAttachment } from '#features/files/attachments/queries.ts'
import { cleanFileName, contentDisposition, pathName } from '#features/files/uploads/names.ts'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { basicAuth, fetchFile, postFiles, upload } from '#test/support/files.ts'
import { failure } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer({ config: { maxFileUploadMib: 1 } })
after(server.close)

const text = (contents = 'To be', name = 'be.txt') => new File([contents], name)
const mebibyte = 1024 * 1024

test('an upload is answered with its address, under both names, and what to call it', async () => {
  const { url, uri, filename, ...rest } = await postFiles(server, 'member', [text()])
  assert.match(url, /^\/user_uploads\/1\/[0-9a-f]{2}\/[0-9a-f]{24}\/be\.txt$/)
  assert.deepEqual(
    { uri, filename, rest },
    { uri: url, filename: 'be.txt', rest: { result: 'success', msg: '' } },
  )
  const response = await fetchFile(server, 'member', url)
  assert.equal(await response.text(), 'To be')
})

for (const part of ['file', 'filename', '/home/hamlet/be.txt', 'größe', '__proto__']) {
  test(`the part of the file may be called ${part}`, async () => {
    assert.equal((await postFiles(server, 'member', [text()], part)).result, 'success')
  })
}

test('the same file twice has two addresses', async () => {
  assert.notEqual(await upload(server, 'member'), await upload(server, 'member'))
})

describe('what is no upload', () => {
  test('is an empty file', async () => {
    assert.deepEqual(await postFiles(server, 'member', [text('')]), failure('The file is empty.'))
  })

  test('is a body without a file', async () => {
    const none = failure('You must specify a file to upload')
    assert.deepEqual(await postFiles(server, 'member', []), none)
    assert.deepEqual(await server.as('member').post('/user_uploads', { file: 'be.txt' }), none)
  })

  test('is a body with two files', async () => {
    assert.deepEqual(
      await postFiles(server, 'member', [text('a'), text('b')]),
      failure('You may only upload one file at a time'),
    )
  })

  test('is a file without an account', async () => {
    const body = new FormData()
    body.append('file', text())
    const response = await fetch(`${server.url}/api/v1/user_uploads`, { method: 'POST', body })
    assert.equal(response.status, 401)
  })

  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
  const bodies: [name: string, type: string, body: string][] = [
    ['without a boundary', 'multipart/form-data', `${head}abc\r\n--x--\r\n`],
    ['with another boundary', 'multipart/form-data; boundary=y', `${head}abc\r\n--x--\r\n`],
    ['cut off in the file', 'multipart/form-data; boundary=x', `${head}abc`],
    ['cut off in the head', 'multipart/form-data; boundary=x', head.slice(0, 40)],
    ['that is empty', 'multipart/form-data; boundary=x', ''],
  ]
  for (const [name, type, body] of bodies) {
    test(`is a multipart body ${name}`, async () => {
      const response = await fetch(`${server.url}/api/v1/user_uploads`, {
        method: 'POST',
        headers: { ...basicAuth(server, 'member'), 'content-type': type },
        body,
      })
      const reply = (await response.json()) as { code: string }
      assert.deepEqual([response.status, reply.code], [400, 'BAD_REQUEST'])
    })
  }
})

describe('the size of a file', () => {
  const tooLarge = failure('Uploaded file is larger than the allowed limit of 1 MiB')

  test('may be what POST /register announces, and not a byte more', async () => {
    const { state } = await server.as('member').watch('realm')
    assert.equal(state.max_file_upload_size_mib, 1)
    const exact = new File(['x'.repeat(mebibyte)], 'large.bin')
    assert.equal((await postFiles(server, 'member', [exact])).result, 'success')
    const more = new File(['x'.repeat(mebibyte + 1)], 'larger.bin')
    assert.deepEqual(await postFiles(server, 'member', [more]), tooLarge)
  })

  test('is refused before it arrives when its length says so', async () => {
    const { status, sent } = await stream(200 * mebibyte, true)
    assert.equal(status, 400)
    assert.ok(sent < 20 * mebibyte, `${sent} bytes were taken`)
  })

  test('is counted while it arrives: what has no length is cut off', async () => {
    const before = process.memoryUsage().rss
    const { status, sent } = await stream(200 * mebibyte, false)
    assert.equal(status, 400)
    assert.ok(sent < 20 * mebibyte, `${sent} bytes were taken`)
    assert.ok(process.memoryUsage().rss - before < 100 * mebibyte)
  })
})

/** Sends a file in pieces until it is whole or the server has answered. */
async function stream(
  size: number,
  withLength: boolean,
): Promise<{ status: number | undefined; sent: number }> {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
  const tail = '\r\n--x--\r\n'
  const sender = request(`${server.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: {
      ...basicAuth(server, 'member'),
      'content-type': 'multipart/form-data; boundary=x',
      ...(withLength && { 'content-length': size + head.length + tail.length }),
    },
  })
  let status: number | undefined
  const over = new Promise<void>((done) => {
    sender.on('response', (response) => {
      status = response.statusCode
      response.resume().on('end', done).on('error', done)
    })
    sender.on('error', () => done()).on('close', done)
  })
  sender.write(head)
  const block = Buffer.alloc(64 * 1024, 'x')
  let sent = 0
  while (sent < size && status === undefined && !sender.destroyed) {
    const ready = sender.write(block)
    sent += block.length
    // A connection that is closed drains no more, and then it is over.
    const drained = new Promise<void>((done) => {
      if (ready) setImmediate(done)
      else sender.once('drain', done)
    })
    await Promise.race([drained, over])
  }
  sender.end(tail)
  await over
  sender.destroy()
  return { status, sent }
}

test('what a client breaks off is given up', async () => {
  const { files } = server.server.context
  const { putFor } = files
  const sender = request(`${server.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: { ...basicAuth(server, 'member'), 'content-type': 'multipart/form-data; boundary=x' },
  })
  sender.on('error', () => {})
  const given = new Promise<unknown>((done) => {
    files.putFor = async (contents, limit, use) => {
      async function* breaking() {
        for await (const part of contents) {
          sender.destroy()
          yield part
        }
      }
      return await putFor(breaking(), limit, use).catch((error) => {
        done(error)
        throw error
      })
    }
  })
  sender.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n')
  sender.write('x'.repeat(100_000))
  assert.ok((await given) instanceof Error)
  files.putFor = putFor
})

test('there is a limit to the files of one person that nothing links to', async () => {
  const { store } = server.server.context
  const file = { name: 'a', contentType: 'text/plain', fileHash: 'none', size: 1, createdAt: 0 }
  const ids = await store.write((tx) =>
    Array.from({ length: 1000 }, (_, i) =>
      insertAttachment(tx, {
        ...file,
        ownerId: server.ids.zoe,
        pathId: `1/zoe/${i}`,
        unclaimedSince: 1e10,
      }),
    ),
  )
  assert.deepEqual(
    await postFiles(server, 'zoe', [text()]),
    failure('You have too many files that no message links to. Delete some first.'),
  )
  await store.write((tx) => {
    for (const { id } of ids) deleteAttachment(tx, id)
  })
  assert.equal((await postFiles(server, 'zoe', [text()])).result, 'success')
})

test("the organization's quota counts everyone's uploads", async () => {
  const small = await startServer({ config: { uploadQuotaMib: 1 } })
  try {
    const { state } = await small.as('member').watch('realm')
    assert.equal(state.realm_upload_quota_mib, 1)
    const half = 'x'.repeat(mebibyte / 2)
    await upload(small, 'member', 'a', half)
    const full = failure("The upload would exceed your organization's quota for uploaded files.")
    assert.deepEqual(await postFiles(small, 'admin', [text(`${half}x`)]), full)
    await upload(small, 'admin', 'b', half)
    assert.deepEqual(await postFiles(small, 'admin', [text('x')]), full)
    const { files } = small.server.context
    files.putFor = () => assert.fail('what says that it is too large is not even taken')
    const large = new File(['x'.repeat(mebibyte)], 'large.bin')
    assert.deepEqual(await postFiles(small, 'admin', [large]), full)
  } finally {
    await small.close()
  }
})

describe('the name of an upload', () => {
  // biome-ignore format: a table reads best in columns
  const names: [sent: string, shown: string, inAddress: string][] = [
    ['be.txt',                       'be.txt',            'be.txt'],
    ['Übergröße – 計画.pdf',          'Übergröße – 計画.pdf', 'Übergröße-計画.pdf'],
    ['a b (1).PNG',                  'a b (1).PNG',       'a-b-1.PNG'],
    ['../../etc/passwd',             'passwd',            'passwd'],
    ['C:\\Users\\me\\plan.doc',      'plan.doc',          'plan.doc'],
    ['..',                           'file',              'file'],
    ['.hidden',                      'hidden',            'hidden'],
    ['',                             'file',              'file'],
    ['   ',                          'file',              'file'],
    ['a\u0000b\u001b[31m.txt',       'ab[31m.txt',        'ab-31m.txt'],
    ['evil\u202Egnp.exe',            'evilgnp.exe',       'evilgnp.exe'],
    ['a\r\nSet-Cookie: x.txt',       'aSet-Cookie_ x.txt', 'aSet-Cookie_-x.txt'],
    ['<img src=x>.html',             '_img src=x_.html',  '_img-src-x_.html'],
    ['](javascript:1).txt',          '](javascript_1).txt', 'javascript_1.txt'],
    ['page.html. .',                 'page.html',         'page.html'],
    ['%2e%2e%2fx.txt',               '%2e%2e%2fx.txt',    '2e-2e-2fx.txt'],
    ['???',                          '___',               '___'],
    ['!!!',                          '!!!',               'file'],
    ['e\u0301.txt',                  'é.txt',             'é.txt'],
    ['👩‍🚀.png',                       '👩‍🚀.png',            'png'],
    [`${'x'.repeat(300)}.tar.gz`,    `${'x'.repeat(117)}.gz`, `${'x'.repeat(117)}.gz`],
    ['\ud800.txt',                   'txt',               'txt'],
  ]
  for (const [sent, shown, inAddress] of names) {
    test(`${JSON.stringify(sent).slice(0, 40)} is shown and linked to without danger`, () => {
      assert.deepEqual([cleanFileName(sent), pathName(cleanFileName(sent))], [shown, inAddress])
    })
  }

  test('arrives in UTF-8 and comes back in both forms', async () => {
    const { url, filename } = await postFiles(server, 'member', [text('x', "Größe '計画'.pdf")])
    assert.equal(filename, "Größe '計画'.pdf")
    assert.ok(url.endsWith('/Größe-計画-.pdf') || url.endsWith('/Größe-計画.pdf'), url)
    const response = await fetchFile(server, 'member', encodeURI(url))
    assert.equal(
      response.headers.get('content-disposition'),
      "attachment; filename=\"Gr__e '__'.pdf\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%27%E8%A8%88%E7%94%BB%27.pdf",
    )
  })

  test('is what it was before a browser escaped it for the request', async () => {
    const name = 'a "b" %25.txt'
    const { filename } = await postFiles(server, 'member', [text('x', name)])
    assert.equal(filename, 'a _b_ %25.txt')
  })

  test('cannot break out of the header that repeats it', () => {
    assert.equal(
      contentDisposition('inline', 'a"b\\c%.txt'),
      `inline; filename="a_b_c_.txt"; filename*=UTF-8''a%22b%5Cc%25.txt`,
    )
  })
})

describe('the type of a file comes from its name alone', () => {
  // biome-ignore format: a table reads best in columns
  const types: [name: string, type: string, disposition: string][] = [
    ['a.png',    'image/png',                   'inline'],
    ['a.JPG',    'image/jpeg',                  'inline'],
    ['a.txt',    'text/plain; charset=utf-8',   'inline'],
    ['a.mp4',    'video/mp4',                   'inline'],
    ['a.html',   'text/html; charset=utf-8',    'attachment'],
    ['a.svg',    'image/svg+xml',               'attachment'],
    ['a.xhtml',  'application/xhtml+xml',       'attachment'],
    // Pages of this origin could run or apply them, if someone got a tag into one.
    ['a.js',     'text/plain; charset=utf-8',   'attachment'],
    ['a.mjs',    'text/plain; charset=utf-8',   'attachment'],
    ['a.css',    'text/plain; charset=utf-8',   'attachment'],
    ['a.pdf',    'application/pdf',             'attachment'],
    ['a.xml',    'application/xml',             'attachment'],
    ['a.swf',    'application/x-shockwave-flash', 'attachment'],
    ['a.weird1', 'application/octet-stream',    'attachment'],
    ['a',        'application/octet-stream',    'attachment'],
    ['html',     'application/octet-stream',    'attachment'],
  ]
  for (const [name, type, disposition] of types) {
    test(`${name} is ${type}, ${disposition}`, async () => {
      const html = new File(['<script>alert(1)</script>'], name, { type: 'text/html' })
      const { url } = await postFiles(server, 'member', [html])
      const { headers } = await fetchFile(server, 'member', url)
      assert.equal(headers.get('content-type'), type)
      assert.equal(headers.get('content-disposition')?.split(';')[0], disposition)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.match(headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/)
      assert.equal(headers.get('cache-control'), 'private, no-cache')
    })
  }

  test('to download is to store, whatever the type', async () => {
    const url = await upload(server, 'member', 'a.png')
    const path = url.replace('/user_uploads/', '/user_uploads/download/')
    const response = await fetchFile(server, 'member', path)
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="a.png"')
    assert.equal((await fetchFile(server, 'othello', path)).status, 404)
  })
})

describe('a part of a file', () => {
  const whole = '0123456789'
  // biome-ignore format: a table reads best in columns
  const ranges: [range: string, status: number, body: string, contentRange: string | null][] = [
    ['bytes=0-3',      206, '0123',       'bytes 0-3/10'],
    ['bytes=4-4',      206, '4',          'bytes 4-4/10'],
    ['bytes=7-',       206, '789',        'bytes 7-9/10'],
    ['bytes=-2',       206, '89',         'bytes 8-9/10'],
    ['bytes=-20',      206, whole,        'bytes 0-9/10'],
    ['bytes=5-100',    206, '56789',      'bytes 5-9/10'],
    ['BYTES= 0-0 ',    206, '0',          'bytes 0-0/10'],
    ['bytes=10-',      416, '',           'bytes */10'],
    ['bytes=99-100',   416, '',           'bytes */10'],
    ['bytes=-0',       416, '',           'bytes */10'],
    ['bytes=3-1',      200, whole,        null],
    ['bytes=0-1,4-5',  200, whole,        null],
    ['bytes=-',        200, whole,        null],
    ['bytes=a-b',      200, whole,        null],
    ['lines=0-1',      200, whole,        null],
    ['bytes=99999999999999999999-', 200, whole, null],
  ]
  const file = upload(server, 'member', 'digits.bin', whole)
  for (const [range, status, body, contentRange] of ranges) {
    test(`${range} is answered with ${status}`, async () => {
      const response = await fetchFile(server, 'member', await file, { range })
      assert.equal(response.status, status)
      assert.equal(response.headers.get('content-range'), contentRange)
      assert.equal(response.headers.get('accept-ranges'), 'bytes')
      assert.equal(await response.text(), body)
    })
  }

  test('is sent only of the version that the client has begun', async () => {
    const etag = (await fetchFile(server, 'member', await file)).headers.get('etag') ?? ''
    const part = { range: 'bytes=0-0' }
    const same = await fetchFile(server, 'member', await file, { ...part, 'if-range': etag })
    assert.deepEqual([same.status, await same.text()], [206, '0'])
    const other = await fetchFile(server, 'member', await file, { ...part, 'if-range': '"other"' })
    assert.deepEqual([other.status, await other.text()], [200, whole])
  })
})

test('a client that has the file is told so, while it may have it', async () => {
  const url = await upload(server, 'member')
  const etag = (await fetchFile(server, 'member', url)).headers.get('etag') ?? ''
  for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const response = await fetchFile(server, 'member', url, { 'if-none-match': tag })
    assert.deepEqual([response.status, await response.text()], [304, ''], tag)
  }
  assert.equal((await fetchFile(server, 'member', url, { 'if-none-match': '"x"' })).status, 200)
  assert.equal((await fetchFile(server, 'othello', url, { 'if-none-match': etag })).status, 404)
})

test('HEAD answers the headers of GET', async () => {
  const url = await upload(server, 'member', 'a.txt', 'four')
  const response = await fetchFile(server, 'member', url, {}, 'HEAD')
  assert.deepEqual([response.status, response.headers.get('content-length')], [200, '4'])
})

describe('credentials for a file', () => {
  const file = upload(server, 'member', 'a.txt', 'mine')
  const { apiKey } = server.as('member')
  const session = logIn('hamlet@zulip.com')

  test('are HTTP Basic, the API key in the address, or the session', async () => {
    const byKey = await fetchFile(server, undefined, `${await file}?api_key=${apiKey}`)
    assert.equal(await byKey.text(), 'mine')
    const { cookie } = await session
    assert.equal(await (await fetchFile(server, undefined, await file, { cookie })).text(), 'mine')
  })

  test('of a session upload as well, with its token', async () => {
    const { cookie } = await session
    const token = /csrftoken=(\w+)/.exec(cookie)?.[1] ?? ''
    const send = async (headers: Record<string, string>) => {
      const body = new FormData()
      body.append('file', text())
      const where = `${server.url}/json/user_uploads`
      return (await fetch(where, { method: 'POST', headers: { cookie, ...headers }, body })).status
    }
    assert.deepEqual([await send({}), await send({ 'x-csrftoken': token })], [403, 200])
  })

  test('that are wrong are refused, whether there is such a file or not', async () => {
    for (const url of [await file, '/user_uploads/1/no/thing/a.txt']) {
      const byKey = await fetchFile(server, undefined, `${url}?api_key=${'x'.repeat(32)}`)
      const basic = { authorization: `Basic ${btoa('hamlet@zulip.com:wrong')}` }
      assert.equal(byKey.status, 401)
      assert.equal((await fetchFile(server, undefined, url, basic)).status, 401)
    }
  })

  test('of incoming webhook bots open nothing', async () => {
    const key = fixtureApiKey('webhook-bot@zulip.com')
    assert.equal((await fetchFile(server, undefined, `${await file}?api_key=${key}`)).status, 400)
  })
})

async function logIn(username: string): Promise<{ cookie: string }> {
  const response = await fetch(`${server.url}/api/v1/dev_fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username }),
  })
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return { cookie: cookies.join('; ') }
}

describe('a temporary address', () => {
  const temporary = async (path: string, actor: Actor = 'member') =>
    await server.as(actor).get<{ url: string }>(`/user_uploads/${path}`)
  const pathOf = (url: string) => url.replace('/user_uploads/', '')

  test('opens the file for anyone, for sixty seconds of the clock', async () => {
    const { url } = await temporary(pathOf(await upload(server, 'member', 'a.txt', 'shared')))
    assert.match(url, /^\/user_uploads\/temporary\/[0-9a-f.]+\/a\.txt$/)
    server.clock.advance(59_000)
    assert.equal(await (await fetchFile(server, undefined, url)).text(), 'shared')
    server.clock.advance(1000)
    assert.equal((await fetchFile(server, undefined, url)).status, 404)
  })

  test('is for exactly one file and one end', async () => {
    const { url } = await temporary(pathOf(await upload(server, 'member')))
    const [, id = '', expires = '', mac = ''] =
      /temporary\/(\d+)\.(\d+)\.([0-9a-f]+)\//.exec(url) ?? []
    const forged = [
      `${Number(id) - 1}.${expires}.${mac}`,
      `${id}.${Number(expires) + 60}.${mac}`,
      `${id}.${expires}.${'0'.repeat(64)}`,
      `${id}.${expires}.${mac.slice(1)}`,
      `${id}.${expires}`,
      '__proto__',
    ]
    for (const token of forged) {
      const path = `/user_uploads/temporary/${token}/plans.txt`
      assert.equal((await fetchFile(server, undefined, path)).status, 404, token)
    }
    assert.equal((await fetchFile(server, undefined, url)).status, 200)
  })

  test('is there for nobody who may not have the file, as for what does not exist', async () => {
    const path = pathOf(await upload(server, 'member'))
    const none = failure('File not found', 'NOT_FOUND')
    assert.deepEqual(await temporary(path, 'othello'), none)
    assert.deepEqual(await temporary('1/no/thing/a.txt', 'othello'), none)
  })

  test('is asked for with an escaped path too, slashes and all', async () => {
    const path = pathOf(await upload(server, 'member', 'größe.txt'))
    const [realm = '', ...rest] = path.split('/')
    for (const asked of [encodeURI(path), `${realm}/${encodeURIComponent(rest.join('/'))}`]) {
      assert.equal((await temporary(asked)).result, 'success', asked)
    }
  })

  test('ends with its file', async () => {
    const { url } = await temporary(pathOf(await upload(server, 'member')))
    const { attachments } = await server
      .as('member')
      .get<{ attachments: { id: number }[] }>('/attachments')
    await server.as('member').del(`/attachments/${attachments[0]?.id}`)
    assert.equal((await fetchFile(server, undefined, url)).status, 404)
  })
})

test('contents that are missing on disk are answered as a file that is not there', async () => {
  const url = await upload(server, 'member', 'a', 'lost contents')
  const { files } = server.server.context
  files.removeNow(createHash('sha256').update('lost contents').digest('hex'))
  assert.equal((await fetchFile(server, 'member', url)).status, 404)
})

describe('a path that no file has', () => {
  const paths = [
    '1/%00',
    '1/%E0%A4%A',
    '1/%2e%2e/%2e%2e/etc/passwd',
    '1//aa/x',
    `1/${'x'.repeat(5000)}`,
    '1/%F0%9F%98%80',
    '__proto__/x',
    '99999999999999999999/aa/x',
    'download/1/%00',
    'temporary/%00/x',
    '1',
    '',
  ]
  for (const path of paths) {
    test(`is nowhere: ${path.slice(0, 30)}`, async () => {
      assert.equal((await fetchFile(server, 'member', `/user_uploads/${path}`)).status, 404)
    })
  }
})
