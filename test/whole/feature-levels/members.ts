/**
 * The level that each member of an object came with, by the object and the level: names separated by
 * spaces, with the level that took the member away again after a hyphen: `user-484`. `247` is the API description of that level, for all that is older; `own` is what only
 * Parley has. An object without a name is named after its place: `POST /register.push_devices`.
 */
export type MemberLevels = Readonly<
  Record<string, Readonly<Partial<Record<number | 'own', string>>>>
>

export type MemberLevel = number | 'own'

/** The level that added a member, and the one that removed it, if any. */
export interface Life {
  readonly added: MemberLevel
  readonly removed: number
}

/** Each member as `object member`, with its levels. */
export function* listed(table: MemberLevels): Generator<[string, Life]> {
  for (const [object, levels] of Object.entries(table)) {
    for (const [level, names = ''] of Object.entries(levels)) {
      for (const entry of names.trim().split(/\s+/)) {
        const [name, removed = Number.POSITIVE_INFINITY] = entry.split('-')
        const added = level === 'own' ? 'own' : Number(level)
        yield [`${object} ${name}`, { added, removed: Number(removed) }]
      }
    }
  }
}

export interface DescribedMember {
  /** As in `listed`. */
  readonly name: string
  readonly isRequired: boolean
  readonly description: string
}

/** The members that a part of an API description shows. @param object the name of its place */
export function* membersOf(schema: unknown, object: string): Generator<DescribedMember> {
  if (Array.isArray(schema)) for (const part of schema) yield* membersOf(part, object)
  if (typeof schema !== 'object' || schema === null) return
  for (const [key, part] of Object.entries(schema)) {
    if (key !== 'properties') {
      yield* membersOf(part, object)
      continue
    }
    const { required = [] } = schema as { required?: string[] }
    for (const [name, member] of Object.entries(part as Record<string, { description?: string }>)) {
      const { description = '' } = member
      yield { name: `${object} ${name}`, isRequired: required.includes(name), description }
      yield* membersOf(member, `${object}.${name}`)
    }
  }
}
