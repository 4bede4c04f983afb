/** The roles by their names in SCIM. Only people in Parley can make someone an owner. */
export const scimRoles = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
} as const

/** The name of a role in SCIM. */
export function roleName(role: number): string {
  return Object.entries(scimRoles).find(([, number]) => number === role)?.[0] ?? 'member'
}

/** The attributes of a person in a request; undefined: not given. */
export interface ScimAttributes {
  readonly userName?: string | undefined
  readonly fullName?: string | undefined
  readonly active?: boolean | undefined
  readonly role?: keyof typeof scimRoles | undefined
}

/** An error in the words of SCIM. @source RFC 7644, section 3.12 */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: string | undefined

  constructor(status: number, detail: string, scimType?: string) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

const invalid = (detail: string) => new ScimError(400, detail, 'invalidValue')

type Attributes = Readonly<Record<string, unknown>>

/** Attributes of the standard that providers send, and that accounts here do not have. */
const unkept =
  /^(urn:|(addresses|emails|entitlements|externalid|groups|id|ims|locale|meta|nickname|password|phonenumbers|photos|preferredlanguage|profileurl|roles|schemas|timezone|title|usertype|x509certificates)\b)/i

/**
 * Reads someone's attributes, as POST and PUT send them. Names of attributes have any case.
 *
 * @throws ScimError a value of the wrong kind
 * @source RFC 7643, sections 2.1 and 4.1
 */
export function readUser(given: unknown): ScimAttributes {
  const attributes = attributesIn(given)
  const name = attributesIn(attributes.name ?? {})
  return {
    userName: text('userName', attributes.username),
    fullName: fullNameIn(name) ?? text('displayName', attributes.displayname),
    active: truth(attributes.active),
    role: roleIn(attributes.role),
  }
}

function fullNameIn(name: Attributes): string | undefined {
  const parts = [text('name.givenName', name.givenname), text('name.familyName', name.familyname)]
  return text('name.formatted', name.formatted) ?? (parts.filter(Boolean).join(' ') || undefined)
}

/**
 * Reads the operations of a PATCH, including those of Entra ID, with `Replace`, booleans as texts,
 * and paths as names of members.
 *
 * @param fullName the current name; an operation may change a part of it
 * @throws ScimError an unknown operation or attribute, or a value of the wrong kind
 * @source RFC 7644, section 3.5.2
 */
export function readPatch(given: unknown, fullName: string): ScimAttributes {
  const { operations } = attributesIn(given)
  if (!Array.isArray(operations) || operations.length > 100) {
    throw new ScimError(400, 'Operations must be a list of at most 100.', 'invalidSyntax')
  }
  let wanted: ScimAttributes = {}
  for (const each of operations) {
    const { op, path, value } = attributesIn(each)
    const verb = String(op).toLowerCase()
    if (!['add', 'replace', 'remove'].includes(verb)) throw invalid(`Unknown operation: ${op}`)
    const changes: [string, unknown][] =
      path === undefined ? Object.entries(attributesIn(value)) : [[String(path), value]]
    for (const [attribute, to] of changes) {
      if (unkept.test(attribute)) continue
      if (verb === 'remove')
        throw new ScimError(400, `${attribute} cannot be removed.`, 'mutability')
      wanted = { ...wanted, ...changed(attribute, to, wanted.fullName ?? fullName) }
    }
  }
  return wanted
}

function changed(attribute: string, value: unknown, fullName: string): ScimAttributes {
  // All words but the last, and the last word: the best guess for a single name.
  const [, given = fullName, family = ''] = /^(.*) (\S+)$/.exec(fullName) ?? []
  switch (attribute.toLowerCase()) {
    case 'username':
      return { userName: text(attribute, value) }
    case 'active':
      return { active: truth(value) }
    case 'role':
      return { role: roleIn(value) }
    case 'displayname':
    case 'name.formatted':
      return { fullName: text(attribute, value) }
    case 'name.givenname':
      return { fullName: `${text(attribute, value) ?? given} ${family}`.trim() }
    case 'name.familyname':
      return { fullName: `${given} ${text(attribute, value) ?? family}`.trim() }
    case 'name': {
      const name = attributesIn(value)
      const parts = { givenname: given, familyname: family, ...name }
      return { fullName: fullNameIn(name.formatted === undefined ? parts : name) }
    }
    default:
      throw new ScimError(400, `There is no attribute ${attribute}.`, 'invalidPath')
  }
}

/** The members of an object, by their names in lower case. */
function attributesIn(given: unknown): Attributes {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ScimError(400, 'An object is missing.', 'invalidSyntax')
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

/** An empty text or null counts as missing. */
function text(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' && value.length <= 1000) return value.trim().toWellFormed()
  throw invalid(`${name} must be a string of at most 1000 characters.`)
}

function truth(value: unknown): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word === 'true' || word === 'false') return word === 'true'
  throw invalid('active must be true or false.')
}

function roleIn(value: unknown): ScimAttributes['role'] {
  const role = text('role', value)?.toLowerCase()
  if (role === undefined) return undefined
  if (Object.hasOwn(scimRoles, role)) return role as ScimAttributes['role']
  throw invalid(`role must be one of ${Object.keys(scimRoles).join(', ')}.`)
}

/**
 * Reads a filter: `userName eq "ann@example.com"` is the only one.
 *
 * @returns the name; undefined: there is no filter
 * @throws ScimError another filter
 */
export function readFilter(filter: string | undefined): string | undefined {
  if (filter === undefined) return undefined
  const [, quoted] = /^\s*userName\s+eq\s+("(?:[^"\\]|\\.){0,1000}")\s*$/i.exec(filter) ?? []
  if (quoted === undefined) {
    throw new ScimError(400, 'The only supported filter is: userName eq "..."', 'invalidFilter')
  }
  try {
    return String(JSON.parse(quoted))
  } catch {
    throw new ScimError(400, 'The string in the filter is not valid.', 'invalidFilter')
  }
}
