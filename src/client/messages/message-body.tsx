import { useComputed } from '@preact/signals'
import { ChevronDown, ChevronUp } from 'lucide'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import type { LongMessages } from '#client/lists/long-messages.ts'
import type { Message } from '#client/state/model.ts'
import { classes } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { showCalls } from './call-links.ts'
import { insertHtml, withoutMe } from './message-html.ts'
import { showLinkedMessages } from './message-links.ts'
import { MessageWidget } from './parts.ts'

interface MessageBodyProps {
  readonly message: Message
  /** The HTML to show instead, with what a search found highlighted: it is never folded. */
  readonly html?: string | undefined
  readonly isInline?: boolean
  readonly long: LongMessages
}

/** The content of a message: its text, poll or to-do list. */
export function MessageBody({ message, html, isInline, long }: MessageBodyProps) {
  if (message.submessages.length > 0) return <MessageWidget message={message} />
  if (html === undefined && !isInline) {
    return <FoldingHtml message={message} long={long} />
  }
  const shown = html ?? message.html
  return (
    <ServerHtml
      html={message.isMe ? withoutMe(shown) : shown}
      message={message}
      isInline={isInline}
    />
  )
}

/** Taller messages are folded, in pixels at the normal font size. Folded ones have 384. */
const tallest = 640

interface FoldingHtmlProps {
  readonly message: Message
  readonly long: LongMessages
}

/** The HTML of a message; only the beginning is shown if it is very long. */
function FoldingHtml({ message, long }: FoldingHtmlProps) {
  const { id, html } = message
  const app = useApp()
  const body = useRef<HTMLDivElement>(null)
  const isLong = useComputed(() => long.ids.value.has(id))
  const isFolded = useComputed(() => long.isFolded(id))
  const fold = (next: boolean) => app.pane.peek()?.fold(id, next)

  useLayoutEffect(() => {
    // Measuring makes the browser lay out, so short texts are not measured.
    const inner = mayBeLong(html) ? body.current?.firstElementChild : undefined
    long.measured(id, inner ? inner.scrollHeight > tallest * rem() : false)
  }, [id, html, long])

  return (
    <>
      <div
        ref={body}
        class={isFolded.value ? 'message-folded' : undefined}
        onFocusIn={({ target }) => {
          // A link that gets the keyboard focus has to be visible.
          if (isFolded.peek() && body.current && isBelow(target, body.current)) fold(false)
        }}
      >
        <ServerHtml html={html} message={message} />
      </div>
      {isLong.value && (
        <button
          type="button"
          class="row tight message-fold"
          aria-expanded={!isFolded.value}
          onClick={() => fold(!isFolded.peek())}
        >
          <Icon node={isFolded.value ? ChevronDown : ChevronUp} size={14} />
          {isFolded.value ? t('Show more') : t('Show less')}
        </button>
      )}
    </>
  )
}

function mayBeLong(html: string): boolean {
  return html.length > 800 || html.split('\n', 13).length > 12
}

/** The size of the user's font as a multiple of the normal one. */
function rem(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
}

function isBelow(target: EventTarget | null, box: Element): boolean {
  const { bottom } = box.getBoundingClientRect()
  return target instanceof Element && target.getBoundingClientRect().bottom > bottom
}

/** Most messages were never edited, and written by people. */
function showEndMarks(element: HTMLElement, message: Message, app: App): void {
  const { client, editedAt, movedAt } = message
  if (editedAt === undefined && movedAt === undefined && !client.endsWith(' (MCP)')) return
  void import('./end-marks.ts').then(
    ({ addEndMarks }) => addEndMarks(element, message, app),
    () => {},
  )
}

interface ServerHtmlProps {
  readonly html: string
  /** The message that it is of; absent for texts that are none. */
  readonly message?: Message
  readonly class?: string | undefined
  readonly isInline?: boolean | undefined
}

/** HTML that the server rendered, with everything in it working. */
export function ServerHtml({ html, message, class: className, isInline }: ServerHtmlProps) {
  const app = useApp()
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!ref.current) return
    insertHtml(ref.current, html, app)
    if (message) showEndMarks(ref.current, message, app)
    if (isInline) return
    showCalls(ref.current, html, app)
    showLinkedMessages(ref.current, html, app)
  }, [html, app, isInline, message?.editedAt, message?.movedAt])
  return (
    <div
      ref={ref}
      dir="auto"
      class={classes('rendered', isInline && 'rendered-inline', className)}
    />
  )
}
