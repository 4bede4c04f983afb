import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { indexLag, indexMessages } from '#features/messaging/core/queries.ts'
import { dropLargeIndexes, makeIndex } from '#features/organization/import/writer/bulk.queries.ts'
import { systemClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { openDatabase } from '#platform/store/open.ts'
import type { Line } from './figures.ts'
import type { Program } from './processes.ts'
import { createRandom, sentence } from './words.ts'

const peopleCount = 5000
const channelCount = 200
const topicCount = 20_000
const fileSize = 1000
const mostTimes = 6
const mostMegabytes = 400

/**
 * An import of messages as teams write them, with mentions and reactions, in as many topics as others
 * have threads; and in the same run the bare insertion of such rows with their indexes.
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
  const rows = await writeExport(from, count)
  const bare = insertBare(join(folder, 'bare'), rows)
  const { megabytes, seconds } = await runImport(file, from, join(folder, 'imported'))
  const times = seconds / bare
  return [
    {
      name: `import of ${count} messages, ${peopleCount} people, ${topicCount} topics`,
      figure: `${seconds.toFixed(1)} s, ${times.toFixed(2)} times the bare rows`,
      target: `< ${mostTimes} times`,
      met: times < mostTimes,
      yardstick: `${bare.toFixed(1)} s for bare rows and their indexes`,
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

/** Writes an export in Zulip's form. */
async function writeExport(folder: string, count: number): Promise<Rows> {
  const people = Array.from({ length: peopleCount }, (_, i) => ({
    id: 100 + i,
    full_name: `Person ${i}`,
    delivery_email: `person${i}@example.com`,
    email: `person${i}@example.com`,
    role: i === 0 ? 100 : 400,
    is_active: true,
    date_joined: 1_500_000_000,
  }))
  const channels = Array.from({ length: channelCount }, (_, i) => ({
    id: 1 + i,
    name: `channel ${i}`,
    date_created: 1_500_000_000,
  }))
  const rows = function* () {
    const random = createRandom(1)
    for (let i = 0; i < count; i++) {
      const place = Math.floor(random() * topicCount)
      const sender = Math.floor(random() * peopleCount)
      const mention =
        i % 10 === 0 ? `@**Person ${i % peopleCount}|${100 + (i % peopleCount)}** ` : ''
      yield { place, sender, text: mention + sentence(random) }
    }
  }
  const reactions = Array.from({ length: Math.floor(count / 8) }, (_, i) => ({
    id: i + 1,
    user_profile: 100 + (i % peopleCount),
    message: 1 + i * 8,
    emoji_name: 'tada',
    emoji_code: '1f389',
    reaction_type: 'unicode_emoji',
  }))
  const subscriptions = people.flatMap(({ id }, i) =>
    Array.from({ length: 20 }, (_, n) => ({
      id: i * 20 + n + 1,
      user_profile: id,
      recipient: 1 + ((i + n * 7) % channelCount),
    })),
  )
  const realm = createWriteStream(join(folder, 'realm.json'))
  realm.write(
    `{"zerver_realm":[{"id":1,"name":"Bench"}],"zerver_userprofile":${JSON.stringify(people)}`,
  )
  realm.write(`,"zerver_stream":${JSON.stringify(channels)}`)
  realm.write(
    `,"zerver_recipient":${JSON.stringify(channels.map(({ id }) => ({ id, type: 2, type_id: id })))}`,
  )
  realm.write(`,"zerver_subscription":${JSON.stringify(subscriptions)}`)
  realm.end(`,"zerver_reaction":${JSON.stringify(reactions)}}`)
  await once(realm, 'finish')
  writeFileSync(join(folder, 'migration_status.json'), '{"zulip_version":"11.0"}')
  let page: object[] = []
  let id = 0
  const flush = () => {
    const name = `messages-${String(Math.ceil(id / fileSize)).padStart(6, '0')}.json`
    const flags = page.map((_, i) => ({ user_profile: 100 + i, message: id - i, flags_mask: 1 }))
    writeFileSync(
      join(folder, name),
      JSON.stringify({ zerver_message: page, zerver_usermessage: flags }),
    )
    page = []
  }
  for (const { place, sender, text } of rows()) {
    id++
    page.push({
      id,
      sender: 100 + sender,
      recipient: 1 + (place % channelCount),
      subject: `topic ${place}`,
      content: text,
      rendered_content: `<p>${text}</p>`,
      date_sent: 1_600_000_000 + id,
      sending_client: null,
    })
    if (page.length === fileSize) flush()
  }
  if (page.length > 0) flush()
  return rows
}

/** Inserts such messages with nothing else, and makes their indexes. Returns seconds. */
function insertBare(path: string, rows: Rows): number {
  const db = openDatabase(path)
  const read = { db, clock: systemClock, config: defaultConfig }
  db.$client.pragma('journal_mode = OFF')
  db.$client.pragma('synchronous = OFF')
  const all = [...rows()]
  const began = performance.now()
  const indexes = dropLargeIndexes(db)
  const insert = db.$client.prepare(`
    INSERT INTO messages
      (recipient_id, sender_id, topic, topic_key, content, rendered_content, sent_at, client)
    VALUES (?, ?, ?, ?, ?, ?, ?, 'website')`)
  db.$client.exec('BEGIN')
  for (const [i, { place, sender, text }] of all.entries()) {
    const topic = `topic ${place}`
    insert.run(
      1 + (place % channelCount),
      100 + sender,
      topic,
      topic,
      text,
      `<p>${text}</p>`,
      1_600_000_000 + i,
    )
  }
  for (const statement of indexes) makeIndex(db, statement)
  while (indexLag(read) > 0) indexMessages(read, 2000)
  db.$client.exec('COMMIT')
  const seconds = (performance.now() - began) / 1000
  db.$client.close()
  return seconds
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
  const watching = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child.pid ?? 0))
  }, 100)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(watching)
  if (code !== 0) throw new Error(`The import ended with ${code}.`)
  return { megabytes, seconds: (performance.now() - began) / 1000 }
}

/** The most memory that a process had so far, in MB. */
function peakOf(pid: number): number {
  try {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(found?.[1] ?? 0) / 1000
  } catch {
    return 0
  }
}
