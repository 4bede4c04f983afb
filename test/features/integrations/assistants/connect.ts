import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestServer } from '#test/support/server.ts'

type Options = NonNullable<ConstructorParameters<typeof Client>[1]>

/** How a client of the protocol connects. */
interface Connecting {
  /** `auto`: by the newest revision that both know. Default: with a session. */
  readonly mode?: 'auto'
  /** The name that it gives itself. */
  readonly name?: string
  readonly capabilities?: Options['capabilities']
}

/** Connects a client of the protocol's SDK with an API key. */
export async function connect(
  server: Pick<TestServer, 'url'>,
  { apiKey }: { readonly apiKey: string },
  { mode, name = 'Test Assistant', capabilities = {} }: Connecting = {},
): Promise<Client> {
  const client = new Client(
    { name, version: '1.0.0' },
    { capabilities, ...(mode && { versionNegotiation: { mode } }) },
  )
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', server.url), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  })
  await client.connect(transport)
  return client
}

/** Clients that are closed together. */
export function connections(server: Pick<TestServer, 'url'>) {
  const clients: Client[] = []
  return {
    async open(person: { readonly apiKey: string }, how?: Connecting): Promise<Client> {
      const client = await connect(server, person, how)
      clients.push(client)
      return client
    },
    async closeAll(): Promise<void> {
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}
