import type { Context as HonoContext } from 'hono'

/**
 * The path of a request as the client sent it, for a header or a form. `c.req.path` is decoded, so
 * it may contain line ends, which no header can.
 */
export function pathOf(c: HonoContext): string {
  return new URL(c.req.url).pathname.replace(/\/{2,}/g, '/')
}
