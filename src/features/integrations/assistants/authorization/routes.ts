import { requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { int } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { endOwnConnection } from './connections.actions.ts'
import { connectionJson, resourceAt } from './metadata.json.ts'
import { countConnections, listConnections } from './queries.ts'
import { mayConnect } from './rules.ts'
import { connectionShape } from './shapes.ts'

const own = 'Not part of the Zulip API.'

/** An endpoint of Parley's own. */
export const getAssistants = endpoint({
  method: 'get',
  path: '/users/me/assistants',
  summary: 'List the assistants that the caller has connected.',
  description: `${own} An assistant is a program that acts for someone by the Model Context Protocol. Those that use the API key are not connected.`,
  params: {},
  reply: {
    assistants: shape.list(connectionShape),
    url: shape.noted(shape.string, 'The address to enter in an assistant in order to connect it.'),
    may_connect: shape.noted(
      shape.boolean,
      'Whether `realm_can_connect_assistants_group` includes the caller. If not, their assistants cannot do anything.',
    ),
  },
  run: ({ store, user }, _, { origin }) => ({
    assistants: listConnections(store, user.id).map(connectionJson),
    url: resourceAt(origin),
    may_connect: mayConnect(store, user),
  }),
})

/** An endpoint of Parley's own. */
export const endAssistant = endpoint({
  method: 'delete',
  path: '/users/me/assistants/:assistant_id{[0-9]+}',
  summary: 'Disconnect an assistant.',
  description: `${own} Its tokens become invalid immediately.`,
  params: { assistant_id: int() },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store }, p) => store.write((tx, user) => endOwnConnection(tx, user, p.assistant_id)),
})

/** An endpoint of Parley's own. */
export const getAssistantCounts = endpoint({
  method: 'get',
  path: '/realm/assistants',
  summary: 'Count the assistants that are connected.',
  description: `${own} For administrators.`,
  params: {},
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {
    connections: shape.integer,
    people: shape.noted(shape.integer, 'How many people have connected one or more.'),
  },
  run({ store, user }) {
    requireAdministrator(user)
    return countConnections(store)
  },
})
