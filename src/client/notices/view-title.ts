import type { App } from '#client/app.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { channelName, peopleNames, topicName } from '#client/state/names.ts'
import { t } from '#client/ui/t.ts'

/** The name of the view and of the organization, for the title of the page. */
export function viewTitle({ router, store }: App): string {
  return `${viewName()} · ${store.realm.value.realm_name}`

  function viewName(): string {
    const view = router.view.value
    switch (view.kind) {
      case 'inbox':
        return t('Inbox')
      case 'recent':
        return t('Recent conversations')
      case 'direct':
        return t('Direct messages')
      case 'messages':
        return narrowName(view.narrow)
      case 'topics':
        return `#${channelName(view.channelId, store)}`
      case 'drafts':
        return t('Drafts')
      case 'scheduled':
        return t('Scheduled messages')
      case 'reminders':
        return t('Reminders')
    }
  }

  function narrowName(narrow: Narrow): string {
    switch (narrow.kind) {
      case 'all':
        return t('Combined feed')
      case 'channel':
        return `#${channelName(narrow.channelId, store)}`
      case 'topic':
        return `${topicName(narrow.topic, store)} (#${channelName(narrow.channelId, store)})`
      case 'direct':
        return peopleNames(narrow.userIds, store)
      case 'all-direct':
        return t('All direct messages')
      case 'mentions':
        return t('Mentions')
      case 'starred':
        return t('Starred messages')
      case 'reactions':
        return t('Reactions')
      case 'search':
        return t('Search')
    }
  }
}
