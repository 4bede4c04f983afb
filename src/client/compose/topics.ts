import type { App } from '#client/app.ts'

const fetched = new Map<number, readonly string[]>()

/** The named topics of a channel as they were last fetched, the newest first. */
export function knownTopics(channelId: number): readonly string[] | undefined {
  return fetched.get(channelId)
}

/** Fetches the topics of a channel; what is known stays where that fails. */
export async function fetchTopics(app: App, channelId: number): Promise<readonly string[]> {
  try {
    const reply = await app.api.get<{ topics: { name: string }[] }>(
      `/users/me/${channelId}/topics`,
      { allow_empty_topic_name: true },
    )
    const names = reply.topics.map(({ name }) => name).filter((name) => name !== '')
    fetched.set(channelId, names)
    return names
  } catch {
    return fetched.get(channelId) ?? []
  }
}
