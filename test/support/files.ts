import assert from 'node:assert/strict'
import type { Actor, Reply, TestServer } from './server.ts'

export interface Uploaded {
  readonly url: string
  readonly uri: string
  readonly filename: string
}

/** The credentials of HTTP Basic. */
export function basicAuth(server: TestServer, actor: Actor): { authorization: string } {
  const { email, apiKey } = server.as(actor)
  return { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` }
}

/** Posts a multipart body with these files, each in a part of this name. */
export async function postFiles(
  server: TestServer,
  actor: Actor,
  files: readonly File[],
  part = 'file',
): Promise<Reply<Uploaded>> {
  const body = new FormData()
  for (const file of files) body.append(part, file)
  const headers = basicAuth(server, actor)
  const response = await fetch(`${server.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers,
    body,
  })
  const reply = (await response.json()) as Reply<Uploaded>
  return Object.defineProperty(reply, 'status', { value: response.status, enumerable: false })
}

/** Uploads a file that has to be taken; returns where it is, such as `/user_uploads/1/ab/…/a.txt`. */
export async function upload(
  server: TestServer,
  actor: Actor,
  name = 'plans.txt',
  contents: BlobPart = `Contents of ${name}`,
): Promise<string> {
  const reply = await postFiles(server, actor, [new File([contents], name)])
  assert.equal(reply.result, 'success', reply.msg)
  return reply.url
}

/** Fetches what is outside the API, as someone or without credentials. */
export async function fetchFile(
  server: TestServer,
  actor: Actor | undefined,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Response> {
  const auth = actor ? basicAuth(server, actor) : {}
  return await fetch(server.url + path, { method, headers: { ...auth, ...headers } })
}

/** Sends files to an endpoint that takes a picture, each in a part of its own. */
export async function sendPicture(
  server: TestServer,
  actor: Actor,
  path: string,
  files: readonly Uint8Array[],
  params: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const body = new FormData()
  for (const [name, value] of Object.entries(params)) body.append(name, value)
  for (const [i, file] of files.entries())
    body.append(`file${i}`, new File([new Uint8Array(file)], 'x.png'))
  const headers = basicAuth(server, actor)
  const response = await fetch(`${server.url}/api/v1${path}`, { method: 'POST', headers, body })
  const reply = (await response.json()) as Reply
  return Object.defineProperty(reply, 'status', { value: response.status, enumerable: false })
}
