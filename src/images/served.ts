/** A picture that everybody may have, under an address that changes with it. */
export function servedPicture(bytes: Uint8Array, contentType: string): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': contentType,
      'Cache-Control': 'public, max-age=86400',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
