import type { Context as HonoContext } from 'hono'

/**
 * The two spellings of the third type of emoji: the contract's, and the one that the apps and
 * libraries of the Zulip family know, of which the mobile app fails on any other. Rows have theirs.
 */
const contractType = 'service_extra_emoji'
const familyType = 'zulip_extra_emoji'

/** Inside JSON a text's own quotes are escaped: this is a member's name and value, nothing else. */
const familyMember = `"reaction_type":"${familyType}"`
const contractMember = `"reaction_type":"${contractType}"`

/** What such apps and libraries call themselves: `ZulipFlutter/30.0 (Android 14)`, `go-zulip/1.0`. */
const family = /^(?:go-)?zulip/i

/** How the client of a request spells JSON text. @source contract, "Conventions"; design §8 */
export function dialectOf(c: HonoContext): (json: string) => string {
  return family.test(c.req.header('user-agent') ?? '') ? asItIs : inContractsWords
}

const asItIs = (json: string) => json

function inContractsWords(json: string): string {
  return json.includes(familyMember) ? json.replaceAll(familyMember, contractMember) : json
}

/** The type of emoji that a client means, in either spelling. */
export function understoodType<T extends string>(
  type: T,
): Exclude<T, typeof contractType> | typeof familyType {
  return type === contractType
    ? familyType
    : (type as Exclude<T, typeof contractType> | typeof familyType)
}
