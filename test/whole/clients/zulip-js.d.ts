/** The part of the npm package that the tests use; it brings no types of its own. */
declare module 'zulip-js' {
  type Params = Readonly<Record<string, unknown>>
  type Answer = Promise<{ result: string; msg: string; [member: string]: unknown }>

  interface Client {
    readonly config: { readonly apiKey: string }
    callEndpoint(path: string, method?: string, params?: Params): Answer
    /** Never ends: there is no way to stop it but to end the process. */
    callOnEachEvent(
      callback: (event: { type: string; [member: string]: unknown }) => void,
      eventTypes?: readonly string[],
    ): Promise<never>
    readonly messages: {
      send(params: Params): Answer
      retrieve(params: Params): Answer
      flags: { add(params: Params): Answer }
    }
    readonly reactions: { add(params: Params): Answer }
    readonly users: {
      me: { getProfile(): Answer; subscriptions: { add(params: Params): Answer } }
    }
    readonly streams: { subscriptions: { retrieve(): Answer } }
  }

  type Login = { username: string; realm: string } & ({ apiKey: string } | { password: string })

  export default function zulip(login: Login): Promise<Client>
}
