import { addUpload, examine, uploadJson } from '#features/files/uploads/actions.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { findRealm } from '#features/foundation/realm/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { sendMessage } from '#features/messaging/messages/actions.ts'
import { type Addressee, composeMessage } from '#features/messaging/messages/compose.rules.ts'
import { requireChannelPost } from '#features/messaging/messages/rules.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { spend } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { deleteReceivedMail, insertReceivedMail, isReceivedMail } from './addresses.queries.ts'
import { type MailAddress, type MailOptions, ownListId } from './addresses.ts'
import { contentOf, topicOf } from './body.ts'
import { identityOf, messageIdIn } from './identity.ts'
import { type Letter, readLetter } from './letter.ts'
import { UnreadableMail } from './mime.ts'
import { channelMailQuotas, mailReplyQuota } from './quotas.ts'
import { accessDestination, type Destination } from './rules.ts'
import { createWords } from './words.ts'

type UploadedFile = Awaited<ReturnType<typeof examine>>

/** The client name of the messages. */
const client = 'email'

/** The options of answers: nobody chooses others. */
const plainOptions: MailOptions = {
  showSender: false,
  includeFooter: false,
  includeQuotes: false,
  preferHtml: false,
}

/** A mail, before it is read. */
export interface ArrivedMail {
  readonly source: Uint8Array
  /** Whether its envelope has no sender, as with reports about mail. */
  readonly isReport: boolean
  /** Each once. */
  readonly recipients: readonly MailAddress[]
}

/** The result of a mail for one of its recipients. */
export interface Delivery {
  readonly address: MailAddress
  /** Whether there is a message now. */
  readonly isPosted: boolean
  /** Why the recipient was refused. */
  readonly problem?: unknown
}

/**
 * Makes a message of a mail for each of its recipients and sends it, with the attachments as
 * uploads of the sender. Automatic answers and returned mail of this server are ignored, so that
 * two programs do not answer each other forever. Mail that has come before is ignored, because mail
 * servers send a mail again if they missed the answer.
 *
 * Limits count the mail before it is read. While it is read, there is a row about it: if the
 * process ends, the mail is refused when it comes again.
 *
 * @throws UnreadableMail
 * @throws BAD_REQUEST an attachment is too large
 */
export async function receiveMail(server: SystemContext, mail: ArrivedMail): Promise<Delivery[]> {
  const { store, log } = server
  const { source, recipients } = mail
  const messageId = messageIdIn(source)
  const admissions = await Promise.allSettled(
    recipients.map((address) => store.write((tx) => admit(tx, address, messageId))),
  )
  const wanted = recipients.filter((_, i) => isTrue(admissions[i]))
  const others = recipients.flatMap((address, i): Delivery[] => {
    const admission = admissions[i]
    if (isTrue(admission)) return []
    return [
      { address, isPosted: false, ...(isRefused(admission) && { problem: admission.reason }) },
    ]
  })
  if (wanted.length === 0) return others
  const identity = identityOf(source)
  await store.write((tx) => begin(tx, identity))
  try {
    const letter = await readLetter(source, mail.isReport)
    return [...others, ...(await deliver(server, letter, messageId, wanted))]
  } finally {
    const end = store.write((tx) => deleteReceivedMail(tx, beginning, identity))
    await end.catch((err) => log.warn({ err }, 'a mail will be refused if it comes again'))
  }
}

type Admission = PromiseSettledResult<boolean> | undefined
const isTrue = (admission: Admission) => admission?.status === 'fulfilled' && admission.value
const isRefused = (admission: Admission): admission is PromiseRejectedResult =>
  admission?.status === 'rejected'

/** The address in the rows of mails that are being read. */
const beginning = 'begun'

/**
 * Counts a mail for a recipient.
 *
 * @returns false: it came before
 * @throws NOT_FOUND no such address; BAD_REQUEST and others: the message may not be sent
 * @throws RATE_LIMIT_HIT
 */
function admit(tx: Tx, address: MailAddress, messageId: string): boolean {
  const destination = accessOpenDestination(tx, address)
  if (messageId !== '' && isReceivedMail(tx, address.token, messageId)) return false
  if (destination.kind === 'channel') for (const quota of channelMailQuotas) spend(tx, quota, 'all')
  else spend(tx, mailReplyQuota, destination.sender)
  return true
}

/** Only one mail is read at a time, so an existing row was left by a process that ended. */
function begin(tx: Tx, identity: string): void {
  if (insertReceivedMail(tx, beginning, identity)) return
  throw new UnreadableMail(
    'The server crashed while reading this mail, so it does not read it again.',
  )
}

function accessOpenDestination(tx: Tx, address: MailAddress): Destination {
  if (findRealm(tx)?.deactivatedAt !== null) {
    throw new ApiError('REALM_DEACTIVATED', 'This organization is deactivated')
  }
  return accessDestination(tx, address)
}

async function deliver(
  { config, store, files, realmUrl }: SystemContext,
  letter: Letter,
  messageId: string,
  recipients: readonly MailAddress[],
): Promise<Delivery[]> {
  const isOwn = letter.listId === ownListId(realmUrl)
  const isIgnored = ({ kind }: MailAddress) => isOwn || (kind === 'reply' && letter.isAutomatic)
  const ignored = recipients.filter(isIgnored)
  const wanted = recipients.filter((address) => !isIgnored(address))
  const contents = letter.attachments.map((each) => each.contents)
  const most = config.maxFileUploadMib * 1024 * 1024
  if (contents.some(({ byteLength }) => byteLength > most)) {
    throw badRequest(`An attachment is too large (limit: ${config.maxFileUploadMib} MiB)`)
  }
  const words = createWords(letter)
  const postAll = async (hashes: readonly string[]): Promise<Delivery[]> => {
    const uploads: UploadedFile[] = []
    for (const [i, hash] of hashes.entries()) {
      const { name = '', contents: bytes } = letter.attachments[i] ?? {}
      uploads.push(await examine(files, { name, hash, size: bytes?.byteLength ?? 0 }))
    }
    const deliveries: Delivery[] = []
    for (const address of wanted) {
      const text = await words(optionsOf(address, letter))
      const posting = { address, letter, messageId, words: text, uploads }
      const isPosted = store.write((tx) => post(tx, realmUrl, posting))
      deliveries.push(
        await isPosted.then(
          (posted) => ({ address, isPosted: posted }),
          (problem: unknown) => ({ address, isPosted: false, problem }),
        ),
      )
    }
    return deliveries
  }
  const hasFiles = wanted.length > 0 && contents.length > 0
  const deliveries = await (hasFiles ? files.putAllFor(contents, postAll) : postAll([]))
  return [...deliveries, ...ignored.map((address) => ({ address, isPosted: false }))]
}

/** A mail to a channel that answers none keeps all of its text. */
function optionsOf(address: MailAddress, letter: Letter): MailOptions {
  if (address.kind !== 'channel') return plainOptions
  return letter.isAnswer ? address.options : { ...address.options, includeQuotes: true }
}

interface Posting {
  readonly address: MailAddress
  readonly letter: Letter
  readonly messageId: string
  readonly words: string
  readonly uploads: readonly UploadedFile[]
}

/**
 * In one write, so that a mail that is refused leaves nothing behind.
 *
 * @returns false: it came before
 */
function post(
  tx: Tx,
  realmUrl: string,
  { address, letter, messageId, words, uploads }: Posting,
): boolean {
  const destination = accessOpenDestination(tx, address)
  const { sender } = destination
  if (messageId !== '' && !insertReceivedMail(tx, address.token, messageId)) return false
  const links = uploads.map((file) => {
    const { url, filename } = uploadJson(addUpload(tx, sender, file, 0))
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
    realmUrl,
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
    const { recipient, topic } = destination
    if (recipient.channel) return { kind: 'channel', to: recipient.channel.id, topic, before: [] }
    return { kind: 'direct', to: recipient.people.map(({ id }) => id), before: [] }
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
