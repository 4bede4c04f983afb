/** The mail server and the mail of a failure. */
export interface Attempt {
  /** As configured; its password appears in no message. */
  readonly smtpUrl: string
  /** The sender, as `Name <address>`. */
  readonly from: string
  /** The recipient's address. */
  readonly address: string
  /** How long the mail server had to answer, in seconds. */
  readonly timeoutSeconds: number
}

/** The longest text of an error that is passed on, in UTF-16 code units. */
const longestReason = 300

/**
 * Explains an error of the mail server in plain words, and what to do about it.
 *
 * @param error from nodemailer: `code` is the step, `command` the command that failed
 */
export function mailProblem(error: unknown, attempt: Attempt): string {
  const failure = { code: '', command: '', message: String(error), ...pick(error) }
  const { host, port } = mailServerOf(attempt.smtpUrl)
  const place = `${host}, port ${port}`
  const found = connectionProblem(failure, attempt, place) ?? replyProblem(failure, attempt, place)
  return `${found} (${reasonOf(failure.message)})`
}

interface Failure {
  readonly code: string
  readonly command: string
  readonly message: string
  /** What the mail server answered, such as 550. */
  readonly responseCode?: number
}

function pick(error: unknown): Partial<Failure> {
  if (!(error instanceof Error)) return {}
  const { code, command, responseCode } = error as Error & Partial<Failure>
  return {
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(typeof command === 'string' && { command }),
    ...(typeof responseCode === 'number' && { responseCode }),
  }
}

/** The host and port of the mail server in a URL. */
export function mailServerOf(smtpUrl: string): { host: string; port: number } {
  if (!URL.canParse(smtpUrl)) return { host: 'the mail server', port: 0 }
  const { hostname, port, protocol } = new URL(smtpUrl)
  const usual = protocol === 'smtps:' ? 465 : 587
  return { host: hostname, port: port === '' ? usual : Number(port) }
}

function connectionProblem(
  { code, message }: Failure,
  { smtpUrl, timeoutSeconds }: Attempt,
  place: string,
): string | undefined {
  const isTls = smtpUrl.startsWith('smtps:')
  if (code === 'EDNS') {
    return `No mail server has the name ${mailServerOf(smtpUrl).host}. Check PARLEY_SMTP_URL, and whether this machine can resolve host names.`
  }
  if (/ECONNREFUSED/.test(message)) {
    return `Nothing answers at ${place}. Check the host and the port in PARLEY_SMTP_URL, and whether the mail server is running.`
  }
  if (/E(NET|HOST)UNREACH/.test(message)) {
    return `This machine has no route to ${place}. Check its network and the host in PARLEY_SMTP_URL.`
  }
  if (code === 'ETIMEDOUT') {
    return `${place}, did not answer within ${timeoutSeconds} seconds. ${
      isTls
        ? 'A firewall may block the port.'
        : 'A firewall may block the port (many block 25), or the port expects TLS: then write smtps:// in PARLEY_SMTP_URL.'
    }`
  }
  if (/wrong version number|packet length too long|unexpected message/i.test(message)) {
    return `${place}, does not start with TLS. Write smtp:// instead of smtps:// in PARLEY_SMTP_URL, or use the port for TLS, which is usually 465.`
  }
  if (/certificate|altnames|CERT_/i.test(message)) {
    return `The certificate of ${place}, is not trusted. Use the host name that it was issued for, or install a valid one on the mail server.`
  }
  if (code === 'ETLS') return `No encrypted connection to ${place}, could be made.`
  if (code === 'ECONNECTION' || code === 'ESOCKET') {
    return `The connection to ${place}, was lost.${isTls ? '' : ' The port may expect TLS: then write smtps:// in PARLEY_SMTP_URL.'}`
  }
  if (code === 'EPROTOCOL') return `The server at ${place}, is not a mail server.`
  return undefined
}

function replyProblem(
  { code, command, responseCode = 0 }: Failure,
  { from, address }: Attempt,
  place: string,
): string {
  if (responseCode === 530) {
    return `${place}, requires a login. Write smtp://NAME:PASSWORD@HOST in PARLEY_SMTP_URL, with %40 for an @ in the name.`
  }
  if (code === 'EAUTH') {
    return `${place}, did not accept the name and password in PARLEY_SMTP_URL. Special characters have to be encoded, such as %40 for @; some providers require an app password.`
  }
  const isTemporary = responseCode >= 400 && responseCode < 500
  const later = isTemporary ? ' It says that it may do so later.' : ''
  if (command === 'MAIL FROM') {
    return `${place}, does not accept ${from} as the sender. Set PARLEY_MAIL_FROM to an address that it accepts.${later}`
  }
  if (command === 'RCPT TO') {
    return `${place}, does not accept ${address} as a recipient.${later} If the address is right, the mail server may send only for its own accounts: then it requires a login.`
  }
  return `${place}, rejected the mail.${later}`
}

/** One line, and not too long. */
function reasonOf(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim()
  return line.length > longestReason ? `${line.slice(0, longestReason)}…` : line
}
