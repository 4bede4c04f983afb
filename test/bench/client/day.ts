import type { Account } from '#test/bench/http.ts'
import { ask, encodeForm, openConnection, poster } from '#test/bench/http.ts'
import { sentence } from '#test/bench/words.ts'
import { createRandom } from '#test/support/drawing.ts'
import { heapMegabytes, type MeasuredPage } from './page.ts'

/** How often the memory is looked at in two days, and what happens between. */
const parts = 16
const messagesInPart = 500
/** How many views are opened in a part. */
const visitsInPart = 25
/** The view in which the memory is looked at: it is always the same one, and nearly empty. */
const restful = '#drafts'

/**
 * What two long days bring: others write and react in many topics, and the reader looks at some of
 * them now and then.
 *
 * @param topics the hashes of topics
 * @returns what the page held after each part of both days, in megabytes
 */
export async function simulateDays(
  measured: MeasuredPage,
  port: number,
  people: readonly Account[],
  topics: readonly string[],
): Promise<number[]> {
  const { page } = measured
  const random = createRandom(9)
  const one = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
  const connection = await openConnection(port)
  const heaps: number[] = []
  for (let part = 0; part < parts; part++) {
    for (let i = 0; i < messagesInPart; i++) {
      const [, channel, topic = ''] = /channel\/(\d+)\/topic\/(.*)/.exec(one(topics)) ?? []
      const content = sentence(random)
      const to = { type: 'channel', to: Number(channel), topic: topic.replace('.20', ' '), content }
      const sender = one(people)
      const sent = await ask(connection, poster('/api/v1/messages', sender)(encodeForm(to)))
      const { id } = JSON.parse(sent.toString()) as { id: number }
      if (i % 3 > 0) continue
      const react = poster(`/api/v1/messages/${id}/reactions`, one(people))
      await ask(connection, react(encodeForm({ emoji_name: 'octopus' })))
    }
    for (let i = 0; i < visitsInPart; i++) {
      await page.evaluate((hash) => {
        location.hash = hash
      }, one(topics))
      await page.waitForTimeout(150)
    }
    await page.evaluate((hash) => {
      location.hash = hash
    }, restful)
    await page.waitForTimeout(1000)
    heaps.push(await heapMegabytes(measured))
  }
  connection.close()
  return heaps
}
