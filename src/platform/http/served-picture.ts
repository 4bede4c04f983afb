import { LightReply } from './light/reply.ts'

/** A response with a public picture whose URL changes whenever the picture does. */
export function servedPicture(bytes: Uint8Array, contentType: string): Response {
  return new LightReply(new Uint8Array(bytes), {
    headers: {
      'Content-Type': contentType,
      'Cache-Control': 'public, max-age=86400',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
