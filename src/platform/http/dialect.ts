import type { Context as HonoContext } from 'hono'

/**
 * The two spellings of the third emoji type: a neutral one, and the one that Zulip's apps and
 * libraries know. The mobile app fails on any other. The database has Zulip's spelling.
 */
const neutralType = 'service_extra_emoji'
const zulipType = 'zulip_extra_emoji'

/** JSON escapes quotes inside strings, so this matches only a member's name and value. */
const zulipMember = `"reaction_type":"${zulipType}"`
const neutralMember = `"reaction_type":"${neutralType}"`

/** Their User-Agents, such as `ZulipFlutter/30.0 (Android 14)` and `go-zulip/1.0`. */
const zulipClient = /^(?:go-)?zulip/i

/** Returns the function that rewrites reply JSON for the client of a request. */
export function dialectOf(c: HonoContext): (json: string) => string {
  return zulipClient.test(c.req.header('user-agent') ?? '') ? unchanged : neutral
}

const unchanged = (json: string) => json

function neutral(json: string): string {
  return json.includes(zulipMember) ? json.replaceAll(zulipMember, () => neutralMember) : json
}

/** Converts an emoji type from either spelling to the one in the database. */
export function parseEmojiType<T extends string>(
  type: T,
): Exclude<T, typeof neutralType> | typeof zulipType {
  return type === neutralType
    ? zulipType
    : (type as Exclude<T, typeof neutralType> | typeof zulipType)
}
