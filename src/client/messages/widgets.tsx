import { Plus } from 'lucide'
import { useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { problemOf } from '#client/commands/attempt.ts'
import type { Message } from '#client/state/model.ts'
import { Button } from '#client/ui/button.tsx'
import { listText, t, tn } from '#client/ui/t.ts'
import {
  type Choices,
  nextIndex,
  type Poll,
  type TodoList,
  widgetOf,
} from '#shared/widget-state.ts'

/** The poll, to-do list or choices of a message. Nothing if it has none. */
export function MessageWidget({ message }: { readonly message: Message }) {
  const widget = widgetOf(message.submessages, message.senderId)
  switch (widget?.kind) {
    case 'poll':
      return <PollView message={message} poll={widget} />
    case 'todo':
      return <TodoView message={message} todo={widget} />
    case 'choices':
      return <ChoicesView message={message} widget={widget} />
    default:
      return null
  }
}

/** Adds a step to a widget; everyone gets it as an event. */
async function step(app: App, message: Message, content: object): Promise<boolean> {
  try {
    await app.api.post('/submessage', {
      message_id: message.id,
      msg_type: 'widget',
      content: JSON.stringify(content),
    })
    return true
  } catch (error) {
    app.notify(problemOf(error), 'error')
    return false
  }
}

function PollView({ message, poll }: { readonly message: Message; readonly poll: Poll }) {
  const app = useApp()
  const { selfId, users } = app.store
  const most = Math.max(1, ...poll.options.map(({ voterIds }) => voterIds.length))
  const isAuthor = message.senderId === selfId
  return (
    <section class="stack surface widget" aria-label={t('Poll')}>
      <Title
        text={poll.question}
        missing={t('Poll')}
        label={t('Question')}
        onSave={isAuthor && ((question) => step(app, message, { type: 'question', question }))}
      />
      <ul class="stack tight">
        {poll.options.map(({ key, text, voterIds }) => {
          const isMine = voterIds.includes(selfId)
          const names = voterIds.map((id) => users.get(id)?.name ?? t('Unknown user'))
          return (
            <li key={key}>
              <button
                type="button"
                class="row poll-vote"
                aria-pressed={isMine}
                onClick={() => step(app, message, { type: 'vote', key, vote: isMine ? -1 : 1 })}
                title={listText(names, 'narrow') || t('No votes yet')}
              >
                <span class="poll-share" style={{ width: `${(100 * voterIds.length) / most}%` }} />
                <span class="poll-text" dir="auto">
                  {text}
                </span>
                <span class="poll-count">
                  <span aria-hidden="true">{voterIds.length}</span>
                  <span class="visually-hidden">
                    {tn(voterIds.length, 'one vote', '{count} votes')}
                  </span>
                </span>
              </button>
              {names.length > 0 && <p class="poll-voters">{listText(names, 'narrow')}</p>}
            </li>
          )
        })}
      </ul>
      <AddLine
        label={t('New option')}
        onAdd={(option) => {
          const idx = nextIndex(message.submessages, selfId)
          return step(app, message, { type: 'new_option', option, idx })
        }}
      />
    </section>
  )
}

function TodoView({ message, todo }: { readonly message: Message; readonly todo: TodoList }) {
  const app = useApp()
  const { selfId } = app.store
  const isAuthor = message.senderId === selfId
  return (
    <section class="stack surface widget" aria-label={t('To-do list')}>
      <Title
        text={todo.title}
        missing={t('To-do list')}
        label={t('Title')}
        onSave={isAuthor && ((title) => step(app, message, { type: 'new_task_list_title', title }))}
      />
      <ul class="stack tight">
        {todo.tasks.map(({ key, text, description, isDone }) => (
          <li key={key}>
            <label class="check-row">
              <input
                type="checkbox"
                checked={isDone}
                onChange={() => step(app, message, { type: 'strike', key })}
              />
              <span dir="auto" class={isDone ? 'todo-done' : undefined}>
                {text}
                {description && <small class="todo-description">{description}</small>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <AddLine
        label={t('New task')}
        onAdd={(line) => {
          const colon = line.indexOf(':')
          const task = colon < 0 ? line : line.slice(0, colon).trim()
          const desc = colon < 0 ? '' : line.slice(colon + 1).trim()
          const key = nextIndex(message.submessages, selfId)
          return step(app, message, { type: 'new_task', key, task, desc, completed: false })
        }}
      />
    </section>
  )
}

function ChoicesView({ message, widget }: { message: Message; widget: Choices }) {
  const app = useApp()
  return (
    <section class="stack surface widget" aria-label={t('Choices')}>
      <p class="widget-title">{widget.heading}</p>
      <ul class="stack tight">
        {widget.choices.map(({ name, text, reply }) => (
          <li key={name} class="row">
            <Button onClick={() => app.outbox.send(message.conversation, reply)}>{name}</Button>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface TitleProps {
  readonly text: string
  readonly missing: string
  readonly label: string
  /** False: the user may not change it. */
  readonly onSave: false | ((text: string) => Promise<boolean>)
}

function Title({ text, missing, label, onSave }: TitleProps) {
  const [draft, setDraft] = useState<string>()
  if (draft === undefined || !onSave) {
    return (
      <p class="widget-title" dir="auto">
        {text || missing}
        {onSave && (
          <button type="button" class="text-button" onClick={() => setDraft(text)}>
            {t('Edit')}
          </button>
        )}
      </p>
    )
  }
  return (
    <form
      class="widget-add"
      onSubmit={async (event) => {
        event.preventDefault()
        if (await onSave(draft.trim())) setDraft(undefined)
      }}
    >
      <input
        class="input"
        aria-label={label}
        value={draft}
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      <Button type="submit">{t('Save')}</Button>
    </form>
  )
}

interface AddLineProps {
  readonly label: string
  readonly onAdd: (text: string) => Promise<boolean>
}

function AddLine({ label, onAdd }: AddLineProps) {
  const [text, setText] = useState('')
  return (
    <form
      class="widget-add"
      onSubmit={async (event) => {
        event.preventDefault()
        if (text.trim() !== '' && (await onAdd(text.trim()))) setText('')
      }}
    >
      <input
        class="input"
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" icon={Plus} disabled={text.trim() === ''}>
        {t('Add')}
      </Button>
    </form>
  )
}
