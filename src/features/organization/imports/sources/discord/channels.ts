import { escaped } from '#features/organization/imports/reading/content.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import type { Item, MessageLocation } from '#features/organization/imports/stream.ts'
import type { Directory, ExportedChannel } from './directory.ts'
import { nameOf } from './markup.ts'

const isDirect = (type: string) => type.startsWith('Direct')
const isThread = (type: string) => /^Guild\w*Thread$/.test(type)
/** A private thread is not for everyone in its channel, so it becomes a channel. */
const isOpenThread = (type: string) => isThread(type) && type !== 'GuildPrivateThread'

/** The key of the channel that a thread is in: its ID, which older exports lack, or its name. */
function parentOf({ channels }: Directory, { row }: ExportedChannel): string {
  if (row.categoryId !== '') return row.categoryId
  for (const [id, each] of channels) {
    if (!isThread(each.row.type) && each.row.name === row.category) return id
  }
  return `named ${row.category}`
}

/** Channels, folders, threads, conversations, and their people: everyone who wrote in them. */
export function* channelItems(reading: Reading, directory: Directory): Generator<Item> {
  const all = [...directory.channels.values()]
  const asked = new Set(reading.options.privateChannels?.map(bareName))
  const made = new Set<string>()
  const members = new Map<string, Set<string>>()
  const folders = new Set<string>()
  const add = (key: string, people: Iterable<string>) => {
    const known = members.get(key) ?? new Set()
    members.set(key, known)
    for (const each of people) known.add(each)
  }
  for (const each of all) {
    const { authors, row } = each
    if (isDirect(row.type)) {
      yield* conversation(directory, each)
      continue
    }
    if (isOpenThread(row.type)) {
      add(parentOf(directory, each), authors)
      continue
    }
    const isPrivate = row.type === 'GuildPrivateThread'
    const folder = isPrivate ? '' : row.categoryId || row.category
    if (folder !== '' && !folders.has(folder)) {
      folders.add(folder)
      yield { type: 'folder', key: folder, name: row.category }
    }
    made.add(row.id)
    yield {
      type: 'channel',
      key: row.id,
      name: isPrivate ? `${row.category} ${row.name}` : row.name,
      description: escaped(row.topic),
      isPrivate: isPrivate || asked.has(bareName(row.name)),
      ...(folder !== '' && { folder }),
    }
    add(row.id, authors)
  }
  for (const each of all) {
    if (!isOpenThread(each.row.type)) continue
    const channel = parentOf(directory, each)
    // Forums, and channels that were not exported, are known by their threads alone.
    if (!made.has(channel)) {
      made.add(channel)
      const isPrivate = asked.has(bareName(each.row.category))
      yield { type: 'channel', key: channel, name: each.row.category, isPrivate }
    }
    yield { type: 'thread', key: each.row.id, channel, title: each.row.name }
  }
  for (const [channel, people] of members) {
    for (const person of people) yield { type: 'membership', channel, person }
  }
}

const bareName = (name: string) => name.replace(/^#/, '').toLowerCase()

/** The export only has the name of a person in a conversation who wrote nothing. */
function* conversation(directory: Directory, { authors, row }: ExportedChannel): Generator<Item> {
  const members = [...authors]
  if (row.type === 'DirectTextChat' && members.length === 1) {
    const isKnown = [...directory.people.keys()].find((id) => nameOf(directory, id) === row.name)
    const key = isKnown ?? `dm-${row.id}`
    members.push(key)
    if (isKnown === undefined) {
      yield { type: 'person', key, name: row.name, role: 'member', isActive: false }
    }
  }
  yield { type: 'conversation', key: row.id, members }
}

/** The destination of messages of a channel. @param day for one topic a day */
export function placeOf({ row }: ExportedChannel, day: string | undefined): MessageLocation {
  if (isDirect(row.type)) return { conversation: row.id }
  if (isOpenThread(row.type)) return { thread: row.id }
  return { channel: row.id, topic: day ?? 'imported from Discord' }
}
