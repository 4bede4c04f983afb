import type { AddressInfo, Server, Socket } from 'node:net'
import type { SMTPServerDataStream, SMTPServerEnvelope } from 'smtp-server'
import {
  type MailAddress,
  parseMailAddress,
  redactAddress,
} from '#features/notifications/mail-gateway/addresses.ts'
import { UnreadableMail } from '#features/notifications/mail-gateway/mime.ts'
import { receiveMail } from '#features/notifications/mail-gateway/receiving.actions.ts'
import { accessDestination } from '#features/notifications/mail-gateway/rules.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { createFairQueue, NoLongerWanted } from '#platform/fairness/fair-queue.ts'
import { createTally } from '#platform/fairness/tally.ts'

/** Listens for incoming mail. */
export interface MailListener {
  /** The address it listens on. */
  readonly host: string
  readonly port: number
  /** Stops after the mail that is being read; waiting ones are refused for now. */
  close(): Promise<void>
}

const mebibyte = 1024 * 1024
/** Encoding makes attachments larger by a third, and there are headers. */
const encoded = 1.4
const mostRecipients = 100
const mostConnections = 100
/**
 * Connections from one address; a mail server in front of this one is on the same machine or
 * network.
 */
const mostConnectionsOfOne = 20
const idleMs = 60_000
/** The longest time for a connection, however busy, in milliseconds. */
const longestConnectionMs = 15 * 60_000
/** All mail that is arriving, waits or is being read together, in mails of the largest size. */
const mostArriving = 4
/** In bytes. SMTP allows 1000, and each line is read in one go. */
const longestLine = mebibyte
const lineFeed = 0x0a

/** The bytes of all mail that this server has in memory. */
interface MailMemory {
  bytes: number
  readonly most: number
}

/**
 * Listens for mail by SMTP, without TLS: the mail server of the operator is in front of it, on the
 * same machine or network. It relays nothing.
 *
 * @throws Error the port is taken
 */
export async function openMailListener(
  live: SystemContext,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MailListener> {
  const { SMTPServer } = await import('smtp-server')
  const size = Math.ceil(live.config.maxFileUploadMib * mebibyte * encoded)
  const arriving: MailMemory = { bytes: 0, most: size * mostArriving }
  // One mail is read at a time: what it takes in memory may be several times its size.
  const queue = createFairQueue({ waiting: mostConnections, waitingPerClient: mostConnections })
  const closing = new AbortController()
  let working: Promise<void> = Promise.resolve()
  const connections = createTally()
  const server = new SMTPServer({
    banner: 'Parley',
    name: new URL(live.realmUrl).hostname,
    size,
    disabledCommands: ['AUTH', 'STARTTLS'],
    hideSTARTTLS: true,
    disableReverseLookup: true,
    maxClients: mostConnections,
    socketTimeout: idleMs,
    closeTimeout: 1000,
    logger: false,
    onConnect({ remoteAddress }, done) {
      connections.add(remoteAddress, 1)
      const isTooMany = connections.of(remoteAddress) > mostConnectionsOfOne
      done(isTooMany ? refusal(421, '4.7.0 Too many connections') : null)
    },
    onClose({ remoteAddress }) {
      connections.add(remoteAddress, -1)
    },
    onRcptTo({ address }, { envelope }, done) {
      done(recipientProblem(live, address, envelope.rcptTo.length))
    },
    onData(stream, { remoteAddress, envelope }, done) {
      const work = (source: Uint8Array) => {
        const taken = take(live, source, envelope)
        working = taken.catch(() => {})
        return taken
      }
      const { signal } = closing
      collect(stream, arriving, (source) =>
        queue.run({ client: remoteAddress, signal, run: () => work(source) }),
      ).then(
        () => done(),
        (error: unknown) => done(replyFor(live, error)),
      )
    },
  })
  server.on('error', (error) => live.log.warn({ err: error }, 'mail in'))
  const net = server.server as Server
  net.on('connection', (socket: Socket) => {
    const end = setTimeout(() => socket.destroy(), longestConnectionMs)
    socket.once('close', () => clearTimeout(end))
  })
  await new Promise<void>((done, fail) => {
    net.once('error', fail)
    server.listen(port, host, () => {
      net.off('error', fail)
      done()
    })
  })
  return {
    host,
    port: (net.address() as AddressInfo).port,
    async close() {
      closing.abort()
      await new Promise<void>((done) => server.close(done))
      await working
    },
  }
}

/** Why a recipient is refused; null: it is not. */
function recipientProblem(live: SystemContext, address: string, before: number): Error | null {
  if (before >= mostRecipients) return refusal(452, '4.5.3 Too many recipients')
  const parsed = parseMailAddress(live.config.mailGateway ?? '', address)
  if (parsed === undefined) return refusal(550, '5.7.1 This server relays no mail')
  if (parsed === null) return noAddress()
  try {
    accessDestination(live.store, parsed)
    return null
  } catch (error) {
    return replyFor(live, error)
  }
}

/**
 * Accepts a mail for its recipients.
 *
 * @throws Error for the sender, if none of them got it
 */
async function take(
  live: SystemContext,
  source: Uint8Array,
  { mailFrom, rcptTo }: SMTPServerEnvelope,
): Promise<void> {
  const recipients = new Map<string, MailAddress>()
  for (const { address } of rcptTo) {
    const parsed = parseMailAddress(live.config.mailGateway ?? '', address)
    if (parsed) recipients.set(parsed.token, parsed)
  }
  const deliveries = await receiveMail(live, {
    source,
    isReport: !mailFrom || mailFrom.address === '',
    recipients: [...recipients.values()],
  })
  const problems: unknown[] = []
  for (const { address, isPosted, problem } of deliveries) {
    if (problem) problems.push(problem)
    else live.log.info({ to: address.kind, bytes: source.byteLength, isPosted }, 'received mail')
  }
  // If one of several recipients cannot get it, it must not be sent to the others again.
  if (problems.length > 0 && problems.length === recipients.size) throw problems[0]
  for (const err of problems)
    live.log.warn({ err }, 'mail to one of several recipients was dropped')
}

/**
 * Reads a mail into memory, and counts its bytes until the work with it is done.
 *
 * @throws Error it is too large, or too much arrives together
 */
async function collect(
  stream: SMTPServerDataStream,
  arriving: MailMemory,
  use: (source: Uint8Array) => Promise<void>,
): Promise<void> {
  let counted = 0
  try {
    const parts: Buffer[] = []
    let isBusy = false
    let isLong = false
    let lineBytes = 0
    for await (const part of stream as AsyncIterable<Buffer>) {
      // Mail that is too large is still read to its end, so that the client gets the answer.
      if (stream.sizeExceeded || isBusy || isLong) continue
      counted += part.byteLength
      arriving.bytes += part.byteLength
      isBusy = arriving.bytes > arriving.most
      const end = part.indexOf(lineFeed)
      isLong = lineBytes + (end < 0 ? part.byteLength : end) > longestLine
      lineBytes =
        end < 0 ? lineBytes + part.byteLength : part.byteLength - part.lastIndexOf(lineFeed)
      if (!isBusy) parts.push(part)
    }
    if (stream.sizeExceeded) throw refusal(552, '5.3.4 The mail is too large')
    if (isBusy) throw refusal(451, '4.3.2 Too much mail at once, try later')
    if (isLong) throw refusal(554, '5.6.0 A line of the mail is too long')
    await use(Buffer.concat(parts.splice(0)))
  } finally {
    arriving.bytes -= counted
  }
}

const noAddress = () => refusal(550, '5.1.1 There is no such address, or it has expired')

/**
 * The answer to a mail that was not accepted. If the sender is not at fault, it can be tried again.
 */
function replyFor({ log }: SystemContext, error: unknown): Error {
  if (error instanceof Error && 'responseCode' in error) return error
  if (error instanceof UnreadableMail) return refusal(554, `5.6.0 ${error.message}`)
  if (error instanceof NoLongerWanted)
    return refusal(421, '4.3.2 The server is stopping, try later')
  if (!(error instanceof ApiError)) {
    log.error({ err: error }, 'receiving mail failed')
    return refusal(451, '4.3.0 Internal error, try later')
  }
  const text = redactAddress(error.message).replace(/\s+/g, ' ')
  switch (error.code) {
    case 'NOT_FOUND':
      return noAddress()
    case 'RATE_LIMIT_HIT':
      return refusal(450, `4.7.0 ${text}`)
    case 'STORAGE_FULL':
      return refusal(452, '4.3.1 The disk is full, try later')
    default:
      return refusal(550, `5.7.1 ${text}`)
  }
}

function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}
