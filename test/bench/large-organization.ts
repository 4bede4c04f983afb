import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Channel } from '#features/foundation/channels/queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { encodeForm, poster } from './http.ts'
import { addChannel, addPeople, seedFolder } from './organization.ts'

export const userCount = 20_000
const channelsOfAll = 10
const otherChannels = 990
const subscribersOfOthers = 100

export const sizeText = `organization of ${userCount} users and ${channelsOfAll + otherChannels} channels`

/** A data folder with an organization as large as they get. */
export interface LargeOrganization {
  readonly data: string
  readonly people: readonly User[]
  readonly channel: Channel
}

let seeded: Promise<LargeOrganization> | undefined

/** Seeds it once for all parts of a run. @param folder that of the run */
export function largeOrganization(folder: string): Promise<LargeOrganization> {
  seeded ??= seed(join(folder, 'large'))
  return seeded
}

async function seed(data: string): Promise<LargeOrganization> {
  mkdirSync(data)
  return await seedFolder(data, (tx) => {
    const people = addPeople(tx, userCount)
    for (let i = 0; i < channelsOfAll; i++) addChannel(tx, `everybody ${i}`, people)
    const others = Array.from({ length: otherChannels }, (_, i) => {
      const start = (i * subscribersOfOthers) % userCount
      return addChannel(tx, `channel ${i}`, people.slice(start, start + subscribersOfOthers))
    })
    const [channel] = others
    if (!channel) throw new Error('There is no channel.')
    return { data, people, channel }
  })
}

/** What the web client asks for. */
const form = encodeForm({
  apply_markdown: true,
  slim_presence: true,
  include_subscribers: 'partial',
  client_capabilities: { archived_channels: true, user_list_incomplete: true },
})

/** A request to register as the web client does, for a compressed reply. */
export function registerRequest(user: User): string {
  const request = poster('/api/v1/register', user)(form)
  return request.replace('\r\n', '\r\nAccept-Encoding: gzip\r\n')
}
