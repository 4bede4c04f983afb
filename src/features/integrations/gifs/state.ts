import { publicPart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'

/**
 * With a key, clients would ask the provider themselves and reveal people's addresses to it. So
 * they get none.
 *
 * @source Zulip API, "Register an event queue" (feature level 47)
 */
export const gifsState = publicPart({
  types: ['giphy'],
  members: {
    giphy_api_key: shape.noted(
      shape.string,
      'Always empty: the key stays on the server. `GET /gifs` searches with it.',
    ),
  },
  read: () => ({ giphy_api_key: '' }),
})
