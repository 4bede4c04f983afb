import { t } from '#client/ui/t.ts'
import { isLoopback } from '#shared/loopback.ts'

interface LoopbackNoteProps {
  /** A link to hand over. */
  readonly link: string
  /** What that means, if it leads only this computer anywhere. */
  readonly text: string
}

/** Says that others cannot open a link, and where to read what helps; nothing if they can. */
export function LoopbackNote({ link, text }: LoopbackNoteProps) {
  if (!isLoopback(link)) return null
  return (
    <p class="field-problem">
      {text}{' '}
      <a href="/help/on-the-internet" target="_blank" rel="noopener">
        {t('How to put the server on the internet')}
      </a>
    </p>
  )
}

/** The note below a link to join. */
export function LoopbackInvitation({ link }: { readonly link: string }) {
  return (
    <LoopbackNote
      link={link}
      text={t(
        'Only this computer can open this address. Set the address of the server, PARLEY_URL, before you invite others.',
      )}
    />
  )
}
