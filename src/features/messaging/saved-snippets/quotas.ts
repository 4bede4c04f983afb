import { accountHolds } from '#platform/quotas/quota.ts'
import { savedSnippets } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

export const snippetQuota = accountHolds(
  {
    name: 'saved_snippets',
    most: 1000,
    meaning: 'Saved snippets of an account.',
    tooMany: sentText('You have too many saved snippets (limit: {count})'),
  },
  savedSnippets.userId,
)
