import type { CallParams, Client, TestServer } from '#test/support/server.ts'

/** Something that someone does, which must succeed. */
export type Action = readonly [
  title: string,
  act: () => Promise<{ result: string; msg: string } | undefined>,
]

/** The smallest picture there is: one transparent pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Calls that send a file, which the forms of other tests cannot. */
function uploader({ server }: TestServer, { email, apiKey }: Client) {
  return async (path: string, name: string) => {
    const body = new FormData()
    body.set('file', new File([pixel], name, { type: 'image/png' }))
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
    const request = new Request(`${server.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization },
      body,
    })
    const response = await server.fetch(request)
    return (await response.json()) as { result: string; msg: string; url: string }
  }
}

export type Stage = ReturnType<typeof stageOf>

/** What the actions on a server share: who acts, and what earlier actions made. */
export function stageOf(server: TestServer) {
  const { ids } = server
  const [owner, admin, member] = [server.as('owner'), server.as('admin'), server.as('member')]
  const [guest, bot, cordelia] = [server.as('guest'), server.as('bot'), server.as('cordelia')]
  const upload = uploader(server, member)
  const uploadAsAdmin = uploader(server, admin)
  const now = () => Math.floor(server.clock.now() / 1000)
  /** Ids of what earlier actions made. */
  const made: Record<string, number> = {}
  const links: Record<string, string> = {}
  const keep =
    (name: string, member: string, act: () => Promise<{ result: string; msg: string }>) =>
    async () => {
      const reply = await act()
      made[name] = (reply as Record<string, unknown> & typeof reply)[member] as number
      return reply
    }
  const say = (client: Client, name: string, params: CallParams) =>
    keep(name, 'id', () => client.post('/messages', { content: 'Hello.', ...params }))
  const toVerona = { type: 'channel', to: 3, topic: 'plans' }
  const toCoreTeam = { type: 'channel', to: 8, topic: 'plans' }
  const one = (id: number) => ({ direct_members: [id], direct_subgroups: [] })
  return {
    server,
    ids,
    owner,
    admin,
    member,
    guest,
    bot,
    cordelia,
    upload,
    uploadAsAdmin,
    now,
    made,
    links,
    keep,
    say,
    toVerona,
    toCoreTeam,
    one,
  }
}
