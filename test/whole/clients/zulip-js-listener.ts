import zulip from 'zulip-js'

/** A process of its own, which sends its parent each event that zulip-js calls it with. */
const [realm = '', username = '', apiKey = '', ...eventTypes] = process.argv.slice(2)
const client = await zulip({ realm, username, apiKey })
client.callOnEachEvent((event) => process.send?.(event), eventTypes)
