import { sendMessage } from '#features/messages/actions.ts'
import { type Addressee, composeMessage } from '#features/messages/compose.rules.ts'
import { requireChannelPost } from '#features/messages/rules.ts'
import { limits } from '#features/realm/limits.ts'
import { findRealm } from '#features/realm/queries.ts'
import { realmSetting } from '#features/realm/settings.queries.ts'
import { addUpload, examine, uploadJson } from '#features/uploads/actions.ts'
import type { Context } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { spend } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/write.ts'
import { insertReceivedMail } from './addresses.queries.ts'
import { type MailAddress, type MailOptions, ownListId } from './addresses.ts'
import { contentOf, isForwarded, topicOf, wordsOf } from './body.ts'
import { markdownOf } from './html-markdown.ts'
import type { Letter } from './letter.ts'
import { channelMailQuotas, mailReplyQuota } from './quotas.ts'
import { accessDestination, type Destination } from './rules.ts'

type UploadedFile = Awaited<ReturnType<typeof examine>>

/** What a client sees as the program that sent a message. */
const client = 'email'

/** What an answer may be: nobody chooses options for it. */
const plainOptions: MailOptions = {
  showSender: false,
  includeFooter: false,
  includeQuotes: false,
  preferHtml: false,
}

/**
 * Makes a message of a mail and sends it, with its attachments as uploads of the sender. What a
 * program sent by itself in answer to a mail is ignored, and so is what came back of this server's
 * own mail, so that two programs do not answer each other forever; and what came before, because
 * mail servers send a mail again if they missed the answer.
 *
 * @returns whether there is a message now
 * @throws NOT_FOUND no such address; BAD_REQUEST and others: the message may not be sent
 * @throws RATE_LIMIT_HIT
 */
export async function receiveMail(
  server: Context,
  address: MailAddress,
  letter: Letter,
): Promise<boolean> {
  const { config, store, files, realmUrl } = server
  accessDestination(store, address)
  const isOwn = letter.listId === ownListId(realmUrl)
  if (isOwn || (address.kind === 'reply' && letter.isAutomatic)) return false
  const contents = letter.attachments.map((each) => each.contents)
  const most = config.maxFileUploadMib * 1024 * 1024
  if (contents.some(({ byteLength }) => byteLength > most)) {
    throw badRequest(`An attachment is too large (limit: ${config.maxFileUploadMib} MiB)`)
  }
  const words = await wordsIn(letter, address.kind === 'channel' ? address.options : plainOptions)
  const send = async (hashes: readonly string[]) => {
    const uploads: UploadedFile[] = []
    for (const [i, hash] of hashes.entries()) {
      const { name = '', contents: bytes } = letter.attachments[i] ?? {}
      uploads.push(await examine(files, { name, hash, size: bytes?.byteLength ?? 0 }))
    }
    return await store.write((tx) => post(tx, server, address, letter, words, uploads))
  }
  return await (contents.length > 0 ? files.putAllFor(contents, send) : send([]))
}

async function wordsIn(letter: Letter, options: MailOptions): Promise<string> {
  const { text = '', html = '', subject } = letter
  const includeQuotes = options.includeQuotes || isForwarded(subject)
  const wanted = { includeQuotes, includeFooter: options.includeFooter }
  const isHtml = html !== '' && (options.preferHtml || text.trim() === '')
  if (!isHtml) return wordsOf(text, wanted)
  return wordsOf(await markdownOf(html, includeQuotes), wanted)
}

/**
 * In one write, so that a mail that is refused leaves nothing behind.
 *
 * @returns false: it came before
 */
function post(
  tx: Tx,
  server: Context,
  address: MailAddress,
  letter: Letter,
  words: string,
  uploads: readonly UploadedFile[],
): boolean {
  if (findRealm(tx)?.deactivatedAt !== null) {
    throw new ApiError('REALM_DEACTIVATED', 'This organization is deactivated')
  }
  const destination = accessDestination(tx, address)
  const { sender } = destination
  const { messageId } = letter
  if (messageId !== '' && !insertReceivedMail(tx, address.token, messageId)) return false
  if (destination.kind === 'channel') for (const quota of channelMailQuotas) spend(tx, quota, 'all')
  else spend(tx, mailReplyQuota, sender)
  const links = uploads.map((file) => {
    const { url, filename } = uploadJson(addUpload(tx, { user: sender, server }, file, 0))
    return `[${filename.replace(/[[\]\\]/g, '')}](${url})`
  })
  const { before, ...to } = placing(tx, destination, letter)
  const draft = composeMessage(
    tx,
    sender,
    {
      ...to,
      content: contentOf(words, before, links, limits.messageLength),
      client,
      readBySender: true,
    },
    server.realmUrl,
  )
  if (destination.kind === 'channel') {
    requireChannelPost(tx, destination.voice, destination.channel, draft)
  }
  sendMessage(tx, sender, draft)
  return true
}

interface Placing {
  readonly kind: 'channel' | 'direct'
  readonly to: Addressee
  readonly topic?: string
  /** Lines above the words of the mail. */
  readonly before: readonly string[]
}

function placing(tx: Tx, destination: Destination, { subject, from }: Letter): Placing {
  if (destination.kind === 'reply') {
    const { place, topic } = destination
    if (place.channel) return { kind: 'channel', to: place.channel.id, topic, before: [] }
    return { kind: 'direct', to: place.people.map(({ id }) => id), before: [] }
  }
  const { channel, options } = destination
  const before = options.showSender ? [`**From:** ${from}`] : []
  const policy =
    channel.topicsPolicy === 'inherit' ? realmSetting(tx, 'topics_policy') : channel.topicsPolicy
  const named = topicOf(subject, limits.topicLength)
  if (policy !== 'empty_topic_only')
    return { kind: 'channel', to: channel.id, topic: named, before }
  return {
    kind: 'channel',
    to: channel.id,
    topic: '',
    before: [`**Subject:** ${named}`, ...before],
  }
}
