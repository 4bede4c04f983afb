import type { ComposeDrafts } from '#client/compose/create-compose.ts'
import type { Drafts } from '#client/compose/drafts.ts'

/** The drafts as the compose box uses them: one for each place where a text can go. */
export function composeDrafts(drafts: Drafts): ComposeDrafts {
  return {
    textFor: (target) => drafts.find(target)?.content,
    keep: (target, text) => void drafts.write(drafts.find(target)?.key, target, text),
    move(from, to) {
      const draft = drafts.find(from)
      if (draft) drafts.write(draft.key, to, draft.content)
    },
  }
}
