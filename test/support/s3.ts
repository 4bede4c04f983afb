import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export const s3Key = { keyId: 'AKIATEST', secret: 'the secret of the key', region: 'eu-test-1' }

/** An S3 service in this process: it keeps objects in memory, and verifies each signature. */
export interface FakeS3 {
  readonly endpoint: string
  /** By bucket and key, as `bucket/key`. */
  readonly objects: Map<string, Buffer>
  /** Uploads in parts that were begun and neither completed nor aborted. */
  readonly open: ReadonlyMap<string, unknown>
  /** Changes what it answers with, to play a service that damages objects. */
  damage: boolean
  close(): void
}

export async function startS3(): Promise<FakeS3> {
  const objects = new Map<string, Buffer>()
  const open = new Map<string, Map<number, Buffer>>()
  let uploads = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://s3.test')
    const body = await buffer(request)
    if (!isSigned(request, url, body)) {
      return void response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
    }
    const path = decodeURIComponent(url.pathname).slice(1)
    const id = url.searchParams.get('uploadId')
    const parts = id === null ? undefined : open.get(id)
    const xml = (text: string) =>
      response.writeHead(200, { 'content-type': 'application/xml' }).end(text)
    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      const upload = `upload-${++uploads}`
      open.set(upload, new Map())
      const result = `<UploadId>${upload}</UploadId>`
      xml(`<InitiateMultipartUploadResult>${result}</InitiateMultipartUploadResult>`)
    } else if (request.method === 'PUT' && parts) {
      parts.set(Number(url.searchParams.get('partNumber')), body)
      response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end()
    } else if (request.method === 'POST' && parts && id) {
      const sorted = [...parts].sort(([a], [b]) => a - b)
      objects.set(path, Buffer.concat(sorted.map(([, part]) => part)))
      open.delete(id)
      xml(`<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>`)
    } else if (request.method === 'DELETE' && id) {
      open.delete(id)
      response.writeHead(204).end()
    } else if (request.method === 'DELETE') {
      objects.delete(path)
      response.writeHead(204).end()
    } else if (request.method === 'GET' && url.searchParams.has('list-type')) {
      xml(listing(objects, `${path.replace(/\/$/, '')}/`, url.searchParams.get('prefix') ?? ''))
    } else if (request.method === 'GET' && objects.has(path)) {
      const found = objects.get(path) ?? Buffer.alloc(0)
      response.writeHead(200).end(fake.damage ? found.subarray(1) : found)
    } else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  }

  const http = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const { port } = http.address() as AddressInfo
  const fake: FakeS3 = {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    open,
    damage: false,
    close() {
      http.close()
      http.closeAllConnections()
    },
  }
  return fake
}

function listing(objects: ReadonlyMap<string, Buffer>, bucket: string, prefix: string): string {
  const keys = [...objects.keys()]
    .filter((path) => path.startsWith(bucket + prefix))
    .map((path) => path.slice(bucket.length))
  const contents = keys.map(
    (key) => `<Contents><Key>${key}</Key><Size>1</Size><ETag>"x"</ETag></Contents>`,
  )
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`
}

/** @source AWS, "Signature Version 4 signing process" */
function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const given = /Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=(\w+)/.exec(
    request.headers.authorization ?? '',
  )
  if (!given) return false
  const [, credential = '', names = '', signature] = given
  const [keyId, day = '', region = '', service = '', end = ''] = credential.split('/')
  if (keyId !== s3Key.keyId || region !== s3Key.region) return false
  const payload = String(request.headers['x-amz-content-sha256'])
  const isKnown = payload === 'UNSIGNED-PAYLOAD' || payload === sha256(body)
  const encode = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const headers = names
    .split(';')
    .map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const canonical = [request.method, url.pathname, query, headers.join(''), names, payload].join(
    '\n',
  )
  const scope = [day, region, service, end].join('/')
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join(
    '\n',
  )
  const hmac = (key: string | Buffer, value: string) =>
    createHmac('sha256', key).update(value).digest()
  const key = [day, region, service, end].reduce<string | Buffer>(hmac, `AWS4${s3Key.secret}`)
  return isKnown && hmac(key, text).toString('hex') === signature
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
