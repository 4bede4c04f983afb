import { render } from '#platform/markdown/render.ts'
import type { Lookups } from '#platform/markdown/types.ts'

/**
 * The organization's description as HTML. It is public, so names of users, groups and channels in
 * it stay text.
 *
 * @param realmUrl the server's origin
 */
export function renderRealmDescription(description: string, realmUrl: string): string {
  return render(description, { ...noNames, realmUrl }).html
}

const nothing = () => undefined

const noNames: Omit<Lookups, 'realmUrl'> = {
  usersByName: () => [],
  userById: nothing,
  groupByName: nothing,
  channelByName: nothing,
  newestInTopic: nothing,
  customEmoji: nothing,
  linkifiers: [],
  emptyTopicDisplayName: '',
  defaultCodeLanguage: '',
  translateEmoticons: false,
  previewsEnabled: false,
}
