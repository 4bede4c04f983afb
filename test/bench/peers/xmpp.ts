import { connect } from 'node:net'

/** A domain that the servers which are measured have, with its service for rooms. */
export const domain = 'localhost'
const rooms = `conference.${domain}`

/** What all accounts have. */
export const password = 'a password'

/** The first that a client says. */
export const streamHeader = `<?xml version='1.0'?><stream:stream to='${domain}' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>`

/** A message of a room as it came. */
interface Groupchat {
  readonly id: string
  readonly body: string
}

/** One connection of an account to an XMPP server: as much of the protocol as a room takes. */
export interface XmppClient {
  /** Enters a room under the account's name. */
  join(room: string): Promise<void>
  /** Resolves when the room has sent the message back, which is when it is accepted. */
  send(room: string, body: string): Promise<void>
  /** Calls `take` with each message of a room. */
  listen(take: (message: Groupchat) => void): void
  /** The newest messages that the archive of a room has, as texts. */
  history(room: string, count: number): Promise<string[]>
  close(): void
}

/** Waits for a stanza that `finds` accepts. */
interface Wait {
  readonly finds: (stanza: string) => boolean
  resolve(stanza: string): void
  reject(error: Error): void
}

/**
 * Connects, and authenticates as an account that has the password of all.
 *
 * @source RFC 6120 "XMPP: Core"; RFC 4616 "The PLAIN Simple Authentication and Security Layer"
 * @source XEP-0045 "Multi-User Chat"; XEP-0313 "Message Archive Management"
 */
export async function openXmpp(port: number, name: string): Promise<XmppClient> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let text = ''
  let waits: Wait[] = []
  let take: (message: Groupchat) => void = () => {}
  /** What comes from an archive. */
  let archived: string[] = []
  const unanswered = new Map<string, () => void>()
  let sent = 0

  function receive(stanza: string): void {
    if (isResult(stanza)) archived.push(bodyOf(stanza))
    else if (stanza.startsWith('<message') && /type=['"]groupchat/.test(stanza)) {
      const message = { id: attribute(stanza, 'id'), body: bodyOf(stanza) }
      take(message)
      const answer = unanswered.get(message.id)
      unanswered.delete(message.id)
      answer?.()
    }
    const wait = waits.find(({ finds }) => finds(stanza))
    if (!wait) return
    waits = waits.filter((other) => other !== wait)
    wait.resolve(stanza)
  }

  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    text += chunk
    for (let end = endOfStanza(text); end > 0; end = endOfStanza(text)) {
      const stanza = text.slice(0, end)
      text = text.slice(end)
      receive(stanza.trimStart())
    }
  })
  const lost = (error?: Error) => {
    for (const { reject } of waits) reject(error ?? new Error('The connection is closed.'))
    waits = []
  }
  socket.on('error', lost)
  socket.on('close', () => lost())

  function ask(request: string, finds: (stanza: string) => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      waits.push({ finds, resolve, reject })
      if (socket.destroyed) lost()
      else socket.write(request)
    })
  }

  async function askIq(id: string, request: string): Promise<string> {
    const reply = await ask(
      request,
      (stanza) => stanza.startsWith('<iq') && attribute(stanza, 'id') === id,
    )
    if (/ type=['"]error/.test(reply)) throw new Error(`${request}: ${reply}`)
    return reply
  }

  const openStream = () => ask(streamHeader, (stanza) => stanza.startsWith('<stream:features'))

  await openStream()
  const plain = Buffer.from(`\0${name}\0${password}`).toString('base64')
  const outcome = await ask(
    `<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${plain}</auth>`,
    (stanza) => stanza.startsWith('<success') || stanza.startsWith('<failure'),
  )
  if (outcome.startsWith('<failure')) throw new Error(outcome)
  await openStream()
  await askIq(
    'bind',
    "<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>",
  )

  return {
    async join(room) {
      const reply = await ask(
        `<presence to='${room}@${rooms}/${name}'><x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/></x></presence>`,
        (stanza) => stanza.startsWith('<presence') && /code=['"]110['"]|<error/.test(stanza),
      )
      if (reply.includes('<error')) throw new Error(reply)
    },
    send(room, body) {
      sent += 1
      const id = `${name}-${sent}`
      return new Promise((resolve) => {
        unanswered.set(id, resolve)
        socket.write(
          `<message to='${room}@${rooms}' type='groupchat' id='${id}'><body>${body}</body></message>`,
        )
      })
    },
    listen(listener) {
      take = listener
    },
    async history(room, count) {
      sent += 1
      const id = `history-${sent}`
      archived = []
      await askIq(
        id,
        `<iq to='${room}@${rooms}' type='set' id='${id}'><query xmlns='urn:xmpp:mam:2'><set xmlns='http://jabber.org/protocol/rsm'><max>${count}</max><before/></set></query></iq>`,
      )
      return archived
    },
    close: () => void socket.destroy(),
  }
}

/** Whether a message comes from an archive. */
function isResult(stanza: string): boolean {
  return stanza.startsWith('<message') && /<result[^>]+urn:xmpp:mam:2/.test(stanza)
}

function attribute(stanza: string, name: string): string {
  return new RegExp(` ${name}=(?:'([^']*)'|"([^"]*)")`).exec(stanza)?.slice(1).join('') ?? ''
}

function bodyOf(stanza: string): string {
  return /<body>([^<]*)<\/body>/.exec(stanza)?.[1] ?? ''
}

const tag = /<(\/?)[^<>]*?(\/?)>/g

/**
 * Where the first complete stanza ends, after the header of a stream, if there is one; 0: it is not
 * there yet. Servers escape `<` and `>` in texts.
 */
function endOfStanza(text: string): number {
  let depth = 0
  tag.lastIndex = 0
  for (let found = tag.exec(text); found; found = tag.exec(text)) {
    const [whole, closes, isEmpty] = found
    if (whole.startsWith('<?') || /^<\/?stream:stream[\s>]/.test(whole)) {
      if (depth === 0) return tag.lastIndex
      continue
    }
    if (closes) depth -= 1
    else if (!isEmpty) depth += 1
    if (depth === 0) return tag.lastIndex
  }
  return 0
}
