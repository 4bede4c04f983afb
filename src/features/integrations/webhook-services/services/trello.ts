import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  code,
  inline,
  link,
  quoting,
  timestamp,
} from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const ignored = ['copyCard', 'createCheckItem', 'updateCheckItem', 'updateList']

/** Changes of a card that are not reported. */
const quietChanges = ['pos', 'cover', 'dueComplete', 'idAttachmentCover']

interface Scene {
  readonly data: Fields
  /** Markdown for the person, the card and the board. */
  readonly who: string
  readonly card: string
  readonly board: string
  /** The person who was added or removed. */
  readonly member: string
}

const list = (data: Fields, path: string) => `list **${inline(data.text(path))}**`

/** The change of a card; undefined: not worth a message. */
function cardChange({ data, who, card }: Scene): string | undefined {
  if (data.has('listBefore')) {
    return `${who} moved ${card} from ${list(data, 'listBefore.name')} to ${list(data, 'listAfter.name')}.`
  }
  const old = data.object('old')
  if (old.entries('').every(([name]) => quietChanges.includes(name))) return undefined
  if (old.has('name')) return `${who} renamed the card ${inline(old.text('name'))} to ${card}.`
  if (old.has('desc')) {
    const [before, now] = [old.maybeText('desc') ?? '', data.text('card.desc')]
    if (now === '') return `${who} removed the description of ${card}.`
    const verb = before === '' ? 'set' : 'changed'
    return quoting(`${who} ${verb} the description of ${card} to`, now)
  }
  if (old.entries('').some(([name]) => name === 'due')) {
    const [before, now] = [old.someText('due'), data.someText('card.due')]
    const time = (text: string) => timestamp(text) ?? code(text)
    if (now === undefined) return `${who} removed the due date of ${card}.`
    if (before === undefined) return `${who} set the due date of ${card} to ${time(now)}.`
    return `${who} changed the due date of ${card} from ${time(before)} to ${time(now)}.`
  }
  if (old.has('closed')) {
    return `${who} ${data.flag('card.closed') ? 'archived' : 'reopened'} ${card}.`
  }
  return undefined
}

/** The message about each action; undefined: none. */
const actions: Readonly<Record<string, (scene: Scene) => string | undefined>> = {
  createCard: ({ data, who, card }) => `${who} created ${card} in ${list(data, 'list.name')}.`,
  updateCard: cardChange,
  addLabelToCard: ({ data, who, card }) =>
    `${who} added a ${inline(data.firstText('value', 'label.color') ?? '')} label${labelName(data)} to ${card}.`,
  removeLabelFromCard: ({ data, who, card }) =>
    `${who} removed a ${inline(data.firstText('value', 'label.color') ?? '')} label${labelName(data)} from ${card}.`,
  addMemberToCard: ({ who, card, member }) => `${who} added ${member} to ${card}.`,
  removeMemberFromCard: ({ who, card, member }) => `${who} removed ${member} from ${card}.`,
  addAttachmentToCard: ({ data, who, card }) =>
    `${who} added ${link(data.text('attachment.name'), data.maybeText('attachment.url'))} to ${card}.`,
  addChecklistToCard: ({ data, who, card }) =>
    `${who} added the checklist **${inline(data.text('checklist.name'))}** to ${card}.`,
  commentCard: ({ data, who, card }) => quoting(`${who} commented on ${card}`, data.text('text')),
  updateCheckItemStateOnCard: ({ data, who, card }) => {
    const verb = data.text('checkItem.state') === 'complete' ? 'checked' : 'unchecked'
    const where = `**${inline(data.text('checklist.name'))}** of ${card}`
    return `${who} ${verb} **${inline(data.text('checkItem.name'))}** in ${where}.`
  },
  addMemberToBoard: ({ who, board, member }) => `${who} added ${member} to ${board}.`,
  removeMemberFromBoard: ({ who, board, member }) => `${who} removed ${member} from ${board}.`,
  createList: ({ data, who, board }) => `${who} added the ${list(data, 'list.name')} to ${board}.`,
  updateBoard: ({ data, who, board }) =>
    data.has('old.name')
      ? `${who} renamed the board from ${inline(data.text('old.name'))} to ${board}.`
      : undefined,
}

function labelName(data: Fields): string {
  const name = data.firstText('label.name', 'text')
  return name === undefined ? '' : ` (${inline(name)})`
}

/** @source Atlassian Developer, "Trello webhooks" (read on 2026-11-24) */
export const trello = integration({
  name: 'trello',
  displayName: 'Trello',
  category: 'Project management',
  eventTypes: Object.keys(actions),
  steps: steps([
    'Get an API key and a token from `https://trello.com/power-ups/admin`, and the ID of the board from its address with `.json` added.',
    'Run:\n\n```\ncurl -d key=KEY -d idModel=BOARD --data-urlencode "callbackURL={url}" https://api.trello.com/1/tokens/TOKEN/webhooks/\n```',
  ]),
  example: {
    body: {
      action: {
        type: 'createCard',
        memberCreator: { fullName: 'Ada' },
        data: {
          board: { name: 'Garden', shortLink: 'gArDeN12' },
          list: { name: 'This week' },
          card: { name: 'Water the roses', shortLink: 'r0sEs123' },
        },
      },
    },
    topic: 'Garden',
  },
  render({ payload }) {
    const type = payload.text('action.type')
    if (ignored.includes(type)) return undefined
    const say = Object.hasOwn(actions, type) ? actions[type] : undefined
    if (!say) return unsupported(type)
    const data = payload.object('action.data')
    const boardName = data.text('board.name')
    const address = (kind: 'b' | 'c', path: string) => {
      const id = data.maybeText(path)
      return id && /^\w+$/.test(id) ? `https://trello.com/${kind}/${id}` : undefined
    }
    const content = say({
      data,
      who: inline(payload.firstText('action.memberCreator.fullName') ?? 'Somebody'),
      card: data.has('card')
        ? link(data.text('card.name'), address('c', 'card.shortLink'))
        : 'a card',
      board: link(boardName, address('b', 'board.shortLink')),
      member: inline(payload.firstText('action.member.fullName') ?? 'somebody'),
    })
    return content === undefined ? undefined : { topic: boardName, content, events: [type] }
  },
})
