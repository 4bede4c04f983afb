import type { TestServer } from './server.ts'

type SessionReply<T> = T & {
  readonly result: string
  readonly msg: string
  readonly code?: string
}

/** Calls a path of the server with a session. @param params sent as a form */
export type SessionCall = <T extends object>(
  method: string,
  path: string,
  params?: Record<string, string>,
) => Promise<SessionReply<T>>

/**
 * A browser in which someone of the development organization has logged in, by its calls.
 *
 * @param agent its `User-Agent` as it logs in
 */
export async function logInBrowser(
  server: TestServer,
  email: string,
  agent = 'Mozilla/5.0 Firefox/150.0',
): Promise<SessionCall> {
  const response = await fetch(`${server.url}/api/v1/dev_fetch_api_key?username=${email}`, {
    method: 'POST',
    headers: { 'user-agent': agent },
  })
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  const csrf = cookies.find((pair) => pair.startsWith('csrftoken='))?.slice('csrftoken='.length)
  const headers = { cookie: cookies.join('; '), 'x-csrftoken': csrf ?? '' }
  return async <T extends object>(
    method: string,
    path: string,
    params?: Record<string, string>,
  ) => {
    const body = params && new URLSearchParams(params)
    const reply = await fetch(server.url + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body && { body }),
    })
    const text = await reply.text()
    return (text.startsWith('{') ? JSON.parse(text) : {}) as SessionReply<T>
  }
}
