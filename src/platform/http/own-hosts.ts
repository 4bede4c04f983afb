/**
 * Whether a host names the machine itself: `localhost`, 127.0.0.0/8 or `[::1]`. A foreign web page
 * cannot make its own name one of these, but it can make its name resolve to 127.0.0.1.
 *
 * @param host a `Host` header, with or without port
 */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host)
}

/** Whether a web origin (`http://localhost:5173`) is a page that this machine serves. */
export function isLoopbackOrigin(origin: string): boolean {
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/]+)$/i.exec(origin)?.[1]
  return host !== undefined && isLoopbackHost(host)
}
