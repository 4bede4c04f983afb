import type { User } from '#features/foundation/users/queries.ts'
import { roleName, type ScimError } from './values.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0'
const messages = 'urn:ietf:params:scim:api:messages:2.0'

/** @param base the URL of the endpoints */
export function userJson(user: User, base: string) {
  return {
    schemas: [`${core}:User`],
    id: String(user.id),
    userName: user.email,
    name: { formatted: user.fullName },
    displayName: user.fullName,
    emails: [{ value: user.email, type: 'work', primary: true }],
    active: user.isActive,
    role: roleName(user.role),
    meta: {
      resourceType: 'User',
      created: new Date(user.dateJoined * 1000).toISOString(),
      location: `${base}/Users/${user.id}`,
    },
  }
}

/** @param startIndex of the first resource; counts from 1 */
export function listJson(resources: readonly object[], totalResults: number, startIndex: number) {
  return {
    schemas: [`${messages}:ListResponse`],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

export function errorJson({ status, scimType, message }: ScimError) {
  return {
    schemas: [`${messages}:Error`],
    status: String(status),
    ...(scimType && { scimType }),
    detail: message,
  }
}

/** The most users of one reply. */
export const longestPage = 200

/** The server's description of itself for providers. @source RFC 7643, sections 5, 6 and 7 */
export function configJson(base: string) {
  const no = { supported: false }
  return {
    schemas: [`${core}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: longestPage },
    changePassword: no,
    sort: no,
    etag: no,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The token that `parley scim token` prints.',
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}

export function resourceTypesJson(base: string) {
  return [
    {
      schemas: [`${core}:ResourceType`],
      id: 'User',
      name: 'User',
      endpoint: '/Users',
      schema: `${core}:User`,
      meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/User` },
    },
  ]
}

export function schemasJson(base: string) {
  const attribute = (name: string, type: string, more: object = {}) => ({
    name,
    type,
    multiValued: false,
    required: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...more,
  })
  return [
    {
      schemas: [`${core}:Schema`],
      id: `${core}:User`,
      name: 'User',
      attributes: [
        attribute('userName', 'string', { required: true, uniqueness: 'server' }),
        attribute('name', 'complex', {
          subAttributes: ['formatted', 'givenName', 'familyName'].map((name) =>
            attribute(name, 'string'),
          ),
        }),
        attribute('displayName', 'string'),
        attribute('active', 'boolean'),
        attribute('role', 'string'),
      ],
      meta: { resourceType: 'Schema', location: `${base}/Schemas/${core}:User` },
    },
  ]
}
