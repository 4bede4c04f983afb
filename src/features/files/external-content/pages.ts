import { findRealm } from '#features/foundation/realm/queries.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { TooManyWaiting } from '#platform/fairness/fair-queue.ts'
import { clientAddress } from '#platform/http/client-address.ts'
import { LightReply } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { createOutsidePictures } from '#platform/outgoing/pictures.ts'
import { sentSentence } from '#translations/translate.ts'
import { addressOfLink, externalContentPath } from './links.queries.ts'

/** Keeps an opened picture from running scripts and loading resources. */
const headers = {
  'Cache-Control': 'public, max-age=86400',
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
}

/**
 * Serves pictures from other sites that messages link to. Clients load them as images, without
 * credentials: only readers of a message have its links.
 */
export function mountExternalContent(app: App, server: SystemContext): void {
  if (!server.config.externalContent) return
  const pictures = createOutsidePictures(server)
  app.get(`${externalContentPath}/:digest{[0-9a-f]{40}}/:hex{(?:[0-9a-f]{2})+}`, async (c) => {
    const { digest, hex } = c.req.param()
    const url = findRealm(server.store) && addressOfLink(server.store, digest, hex)
    if (!url) throw notFound()
    const client = clientAddress(server, c)
    const picture = await pictures
      .get(url, { client, signal: c.req.raw.signal }, () => {
        server.rateLimits.bill('anonymous', client).open()
      })
      .catch((error: unknown) => {
        throw error instanceof TooManyWaiting ? busy() : error
      })
    if (!picture) throw notFound()
    return new LightReply(picture.bytes, {
      headers: {
        ...headers,
        'Content-Type': picture.contentType,
      },
    })
  })
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', sentSentence('Picture not found'))
}

function busy(): ApiError {
  return new ApiError('RATE_LIMIT_HIT', sentSentence('API usage exceeded rate limit'), {
    'retry-after': 10,
  })
}
