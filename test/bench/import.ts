import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { indexLag, indexMessages } from '#features/foundation/core/indexing.queries.ts'
import { dropLargeIndexes, makeIndex } from '#features/organization/imports/writer/bulk.queries.ts'
import { systemClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { openDatabase } from '#platform/store/open.ts'
import { createRandom } from '#test/support/drawing.ts'
import type { Line } from './figures.ts'
import { cpuSecondsOf, type Program, peakOf } from './processes.ts'
import { sentence } from './words.ts'

const peopleCount = 5000
const channelCount = 200
const topicCount = 20_000
const mostTimes = 6
const mostMegabytes = 400

/**
 * An import of Slack's export of messages as teams write them, with mentions, reactions and threads; and in the same run the bare insertion of such rows with their indexes.
 *
 * @param detail how many messages; a million by default
 */
export async function measureImport(
  { file }: Program,
  folder: string,
  detail: string,
): Promise<Line[]> {
  const count = Number(detail || 1_000_000)
  const from = join(folder, 'export')
  mkdirSync(from)
  const rows = writeExport(from, count)
  const bare = insertBare(join(folder, 'bare'), rows)
  const { cpuSeconds, megabytes, seconds } = await runImport(file, from, join(folder, 'imported'))
  const times = seconds / bare.seconds
  return [
    {
      name: `import of ${count} messages, ${peopleCount} people, ${topicCount} threads`,
      figure: `${seconds.toFixed(1)} s, ${times.toFixed(2)} times the bare rows (${(cpuSeconds / bare.cpuSeconds).toFixed(2)} times in CPU time)`,
      target: `< ${mostTimes} times`,
      met: times < mostTimes,
      yardstick: `${bare.seconds.toFixed(1)} s for bare rows and their indexes`,
    },
    {
      name: 'the most memory that it took',
      figure: `${megabytes.toFixed(0)} MB`,
      target: `< ${mostMegabytes} MB`,
      met: megabytes < mostMegabytes,
    },
  ]
}

/** What the bare insertion needs of a message. */
type Rows = () => Generator<{
  readonly place: number
  readonly sender: number
  readonly text: string
}>

const daySeconds = 86_400
const firstSecond = 1_600_041_600

/** Writes an export in Slack's form: a file for each channel and day. */
function writeExport(folder: string, count: number): Rows {
  const people = Array.from({ length: peopleCount }, (_, i) => ({
    id: `U${i}`,
    name: `person${i}`,
    is_owner: i === 0,
    profile: { real_name: `Person ${i}`, email: `person${i}@example.com` },
  }))
  const channels = Array.from({ length: channelCount }, (_, i) => ({
    id: `C${i}`,
    name: `channel-${i}`,
    members: people.flatMap(({ id }, n) => ((n + i) % 10 === 0 ? [id] : [])),
  }))
  writeFileSync(join(folder, 'users.json'), JSON.stringify(people))
  writeFileSync(join(folder, 'channels.json'), JSON.stringify(channels))
  for (const { name } of channels) mkdirSync(join(folder, name))
  const rows = function* () {
    const random = createRandom(1)
    for (let i = 0; i < count; i++) {
      const place = Math.floor(random() * topicCount)
      const sender = Math.floor(random() * peopleCount)
      const mention = i % 10 === 0 ? `<@U${i % peopleCount}> ` : ''
      yield { place, sender, text: mention + sentence(random) }
    }
  }
  const begun = new Map<number, string>()
  let day = new Map<string, object[]>()
  let number = 0
  const flush = () => {
    const date = new Date((firstSecond + number * daySeconds) * 1000).toISOString().slice(0, 10)
    for (const [name, messages] of day) {
      writeFileSync(join(folder, name, `${date}.json`), JSON.stringify(messages))
    }
    day = new Map()
    number++
  }
  let i = 0
  for (const { place, sender, text } of rows()) {
    const ts = `${firstSecond + i}.000100`
    const thread = begun.get(place) ?? ts
    const name = `channel-${place % channelCount}`
    const messages = day.get(name) ?? []
    day.set(name, messages)
    messages.push({
      ts,
      user: `U${sender}`,
      text,
      thread_ts: thread,
      ...(thread === ts && { reply_count: 1 }),
      ...(i % 8 === 0 && {
        reactions: [{ name: 'tada', users: [`U${i % peopleCount}`], count: 1 }],
      }),
    })
    begun.set(place, thread)
    if (++i % daySeconds === 0) flush()
  }
  flush()
  return rows
}

/** What something took; the time of processors is less uneven where others use them as well. */
interface Taken {
  readonly seconds: number
  readonly cpuSeconds: number
}

/** Inserts such messages with nothing else, and makes their indexes. */
function insertBare(path: string, rows: Rows): Taken {
  const db = openDatabase(path)
  const read = { db, clock: systemClock, config: defaultConfig }
  db.$client.pragma('journal_mode = OFF')
  db.$client.pragma('synchronous = OFF')
  const all = [...rows()]
  const began = performance.now()
  const cpuBegan = process.cpuUsage()
  const indexes = dropLargeIndexes(db)
  const insert = db.$client.prepare(`
    INSERT INTO messages
      (recipient_id, sender_id, topic, topic_key, content, sent_at, client)
    VALUES (?, ?, ?, ?, ?, ?, 'website')`)
  db.$client.exec('BEGIN')
  for (const [i, { place, sender, text }] of all.entries()) {
    const topic = `topic ${place}`
    insert.run(1 + (place % channelCount), 100 + sender, topic, topic, text, 1_600_000_000 + i)
  }
  for (const statement of indexes) makeIndex(db, statement)
  while (indexLag(read) > 0) indexMessages(read, 2000)
  db.$client.exec('COMMIT')
  const seconds = (performance.now() - began) / 1000
  const { system, user } = process.cpuUsage(cpuBegan)
  db.$client.close()
  return { seconds, cpuSeconds: (system + user) / 1e6 }
}

/** Runs `parley import` in a process of its own. */
async function runImport(command: readonly string[], from: string, data: string) {
  const [program = '', ...args] = command
  const began = performance.now()
  const child = spawn(program, [...args, 'import', from, '--data', data], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.stderr.pipe(process.stderr)
  let megabytes = 0
  let cpuSeconds = 0
  const watching = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child.pid ?? 0))
    cpuSeconds = Math.max(cpuSeconds, cpuSecondsOf(child.pid ?? 0))
  }, 100)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(watching)
  if (code !== 0) throw new Error(`The import ended with ${code}.`)
  return { cpuSeconds, megabytes, seconds: (performance.now() - began) / 1000 }
}
