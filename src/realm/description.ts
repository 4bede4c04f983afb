import { render } from '#markdown/render.ts'
import type { Lookups } from '#markdown/types.ts'

/**
 * The organization's description as HTML. Whoever has no account may read it, so names in it stay
 * text: nobody and nothing is looked up.
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
