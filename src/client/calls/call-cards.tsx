import { Phone, Video } from 'lucide'
import { render } from 'preact'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { type CallKind, type CallSettings, callKindOf, callServer, isCallLabel } from './calls.ts'

/**
 * Shows links to calls as cards: those that stand alone in a paragraph, or alone in its last line.
 * Links inside a sentence, in quotations, and to any other server are not changed.
 *
 * @param element has the HTML of a message
 */
export function showCallCards(element: HTMLElement, settings: CallSettings): void {
  const server = callServer(settings)
  if (server === undefined) return
  for (const link of element.querySelectorAll<HTMLAnchorElement>(':scope > p > a')) {
    const kind = callKindOf(link.href, server)
    // Links to Zoom do not contain the kind of a call.
    const isVoice = link.textContent === t('Join voice call.')
    if (kind) replaceByCard(link, isVoice ? 'voice' : kind)
  }
}

function replaceByCard(link: HTMLAnchorElement, kind: CallKind): void {
  const paragraph = link.parentElement
  if (!paragraph || neighbour(link, 'nextSibling')) return
  const before = neighbour(link, 'previousSibling')
  if (before && before.nodeName !== 'BR') return
  const card = document.createElement('div')
  card.className = 'stack surface widget call-card'
  paragraph.after(card)
  if (before) {
    before.parentNode?.removeChild(before)
    link.remove()
  } else paragraph.remove()
  render(<CallCard kind={kind} href={link.href} text={link.textContent ?? ''} />, card)
}

/** The nearest node beside a link that is more than white space. */
function neighbour(link: Node, side: 'previousSibling' | 'nextSibling'): Node | null {
  let node = link[side]
  while (node?.nodeType === Node.TEXT_NODE && node.textContent?.trim() === '') node = node[side]
  return node
}

interface CallCardProps {
  readonly kind: CallKind
  readonly href: string
  /** The text of the link. */
  readonly text: string
}

function CallCard({ kind, href, text }: CallCardProps) {
  const isVoice = kind === 'voice'
  return (
    <>
      <Icon node={isVoice ? Phone : Video} size={20} />
      <div>
        <div class="call-title">{titleOf(kind, href, text)}</div>
        <div class="call-host ellipsis">{new URL(href).host}</div>
      </div>
      <a
        class="button button-primary"
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={isVoice ? t('Join the voice call') : t('Join the video call')}
      >
        {t('Join')}
      </a>
    </>
  )
}

/** The sender's words, unless they are the usual ones or the address. */
function titleOf(kind: CallKind, href: string, text: string): string {
  const isUsual = isCallLabel(text)
  const isAddress = URL.canParse(text) && new URL(text).href === href
  if (text.trim() !== '' && !isUsual && !isAddress) return text
  return kind === 'voice' ? t('Voice call') : t('Video call')
}
