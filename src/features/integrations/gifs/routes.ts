import { endpoint } from '#platform/http/endpoint.ts'
import { described, text, withDefault } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import { findGifs } from './actions.ts'
import { longestGifQuery } from './provider.ts'
import { gifRate } from './quotas.ts'
import { gifShape } from './shapes.ts'

/** Parley's own. */
export const getGifs = endpoint({
  method: 'get',
  path: '/gifs',
  summary: 'Search for GIFs, or list popular ones.',
  description: `The server asks the provider that its operator configured, up to the rating \`giphy_rating\` of the organization. Pictures are served by this server, so the provider does not learn who looks for them. ${limitsText(gifRate)}`,
  params: {
    query: withDefault(described(text(longestGifQuery), 'Empty for what is popular.'), ''),
    from: withDefault(
      described(text(200), '`next` of the page before; empty for the first one.'),
      '',
    ),
  },
  errors: ['RATE_LIMIT_HIT'],
  reply: {
    gifs: shape.list(gifShape),
    next: shape.noted(
      shape.nullable(shape.string),
      'Where the next page begins; null if this is the last one.',
    ),
  },
  run: async (caller, p) => {
    const { gifs, next } = await findGifs(caller, p)
    return {
      gifs: gifs.map(({ previewPath, ...gif }) => ({ ...gif, preview_url: previewPath })),
      next,
    }
  },
})
