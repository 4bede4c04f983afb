import type { Lookups } from '#platform/markdown/types.ts'

type Path = readonly (string | number)[]

/** Where the texts of a JSON value are; also objects and lists if `inner`. */
export function leaves(value: unknown, { inner = false } = {}, at: Path = []): Path[] {
  if (typeof value === 'string') return [at]
  if (typeof value !== 'object' || value === null) return inner ? [at] : []
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  const below = keys.flatMap((key) =>
    leaves((value as Record<string | number, unknown>)[key], { inner }, [...at, key]),
  )
  return inner && at.length > 0 ? [at, ...below] : below
}

/** A copy of a JSON value with another member; `undefined` removes it. */
export function changedMembers(value: unknown, [key, ...rest]: Path, member: unknown): unknown {
  if (key === undefined) return member
  const before = (value as Record<string | number, unknown>)[key]
  const after = changedMembers(before, rest, member)
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? after : item))
  return { ...(value as object), [key]: after }
}

/** Look-ups in which every name is someone's. */
export const lookupsOfEverybody: Lookups = {
  usersByName: (fullName) => [{ id: 10, fullName, isActive: true }],
  userById: (id) => ({ id, fullName: 'King Hamlet', isActive: true }),
  groupByName: (name) => ({
    id: 5,
    name,
    displayName: name,
    isSystem: false,
    mentionable: true,
    deactivated: false,
  }),
  channelByName: () => undefined,
  newestInTopic: () => undefined,
  customEmoji: () => undefined,
  linkifiers: [],
  emptyTopicDisplayName: 'general chat',
  defaultCodeLanguage: '',
  realmUrl: 'https://chat.example.com',
  translateEmoticons: false,
  previewsEnabled: false,
}
