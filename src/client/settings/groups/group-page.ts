import type { Group } from '#client/state/model.ts'

/** What each page of a group takes. */
export interface GroupPageProps {
  readonly group: Group
}

/** For the drafts of what is typed into fields of a group. */
export const draftKeyOf = ({ id }: Group) => `group ${id}`
