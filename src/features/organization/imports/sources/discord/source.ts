import type { Archive } from '#features/organization/imports/archive/archive.ts'
import type { Reading, Source } from '#features/organization/imports/source.ts'
import type { Item } from '#features/organization/imports/stream.ts'
import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'
import { channelItems } from './channels.ts'
import { channelFiles, type Directory, readDirectory } from './directory.ts'
import { messages } from './messages.ts'

/** Files of channels and threads as DiscordChatExporter writes them in JSON, in a folder or an archive. */
export const discord: Source = {
  name: 'discord',
  title: 'Discord',
  options: ['team', 'privateChannels', 'topics'],
  detect,
  async *read(reading) {
    const directory = await readDirectory(reading)
    if (directory.channels.size === 0)
      throw badRequest(sentence('There is no channel in the export.'))
    yield* beginning(reading, directory)
    yield* channelItems(reading, directory)
    yield* messages(reading, directory)
  },
}

/** In bytes: the part before the messages is shorter. */
const longestHead = 4096

async function detect(archive: Archive): Promise<boolean> {
  const [path] = channelFiles(archive.paths)
  if (path === undefined) return false
  let head = ''
  for await (const part of archive.read(path)) {
    head += Buffer.from(part).toString('latin1')
    if (head.length >= longestHead) break
  }
  return /^[^[]{0,10}\{\s*"guild"\s*:\s*\{/.test(head) && /"channel"\s*:\s*\{/.test(head)
}

function* beginning(
  { archive }: Reading,
  { emoji, guild, people, roles }: Directory,
): Generator<Item> {
  const { icon } = guild
  yield {
    type: 'organization',
    name: guild.name,
    ...(icon !== undefined && { pictures: { icon: () => archive.read(icon) } }),
  }
  for (const [key, { avatar, isBot, name, nickname }] of people) {
    yield {
      type: 'person',
      key,
      name: nickname || name,
      role: 'member',
      isActive: !isBot,
      ...(isBot && { bot: { kind: 'generic' } }),
      ...(avatar !== undefined && { avatar: () => archive.read(avatar) }),
    }
  }
  for (const [key, { members, name }] of roles) {
    yield { type: 'group', key, name: name.replace(/^@/, ''), members: [...members] }
  }
  for (const [key, { name, path }] of emoji) {
    yield { type: 'emoji', key, name, picture: () => archive.read(path) }
  }
}
