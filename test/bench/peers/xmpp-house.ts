import { comeIn, crowd, type House } from './house.ts'
import type { Peer } from './programs.ts'
import { openXmpp, type XmppClient } from './xmpp.ts'

const room = 'everybody'

export async function openPeer(peer: Peer, folder: string): Promise<House> {
  const names = Array.from({ length: crowd }, (_, i) => `person${i}`)
  let server = await peer.start(folder)
  peer.addAccounts(folder, names)
  let take: (text: string) => void = () => {}
  const clients: XmppClient[] = []
  const enter = async (name: string) => {
    const client = await openXmpp(server.port, name)
    await client.join(room)
    client.listen(({ body }) => take(body))
    return client
  }
  return {
    name: peer.name,
    pid: () => server.pid,
    startMs: () => server.startMs,
    fill: (count) => comeIn(count, names, clients, enter),
    async send(sender, text) {
      await clients[sender]?.send(room, text)
    },
    listen(listener) {
      take = listener
    },
    history: async (count) => (await clients[0]?.history(room, count)) ?? [],
    async killAndStart() {
      await server.kill()
      for (const { close } of clients.splice(0)) close()
      server = await peer.start(folder)
      clients.push(await enter('person0'))
    },
    async stop() {
      for (const { close } of clients) close()
      await server.kill()
    },
  }
}
