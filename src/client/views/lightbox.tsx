import { ChevronLeft, ChevronRight, Download, ExternalLink, X } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { openSurface } from '#client/commands/surfaces.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { isFinishing } from '#client/ui/finishing.ts'
import { Icon, pointing } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'

const previousIcon = pointing(ChevronLeft)
const onIcon = pointing(ChevronRight)
const elsewhereIcon = pointing(ExternalLink)

interface Picture {
  /** The full picture. */
  readonly url: string
  /** The available version, until the full one is loaded. */
  readonly preview: string
  readonly name: string
  readonly width: number | undefined
  readonly height: number | undefined
}

/** Opens the lightbox at a picture of a message; the others around it come before and after. */
export function showPicture(image: HTMLImageElement): void {
  const list = image.closest('.messages') ?? image.closest('.rendered') ?? document.body
  const images = [...list.querySelectorAll<HTMLImageElement>('.rendered img:not(.emoji)')].filter(
    (each) => !each.closest('.youtube-video'),
  )
  const at = Math.max(0, images.indexOf(image))
  const pictures = images.map(pictureOf)
  openSurface((onClose) => <Lightbox pictures={pictures} at={at} onClose={onClose} />)
}

/** The picture for the lightbox, from one in a message. */
function pictureOf(image: HTMLImageElement): Picture {
  const link = image.closest('a')
  const [width, height] = (image.dataset.originalDimensions ?? '').split('x').map(Number)
  const isUpload = image.dataset.originalContentType !== undefined
  const isShownByBrowsers = /^image\/(png|jpeg|gif|webp|avif)$/.test(
    image.dataset.originalContentType ?? '',
  )
  const whole = image.dataset.originalSrc ?? link?.href
  return {
    // An external picture may only be loaded through the server, from its `src`.
    url: isUpload && isShownByBrowsers && whole ? whole : image.src,
    preview: image.src,
    name: link?.title || image.alt || t('Picture'),
    width: width || undefined,
    height: height || undefined,
  }
}

interface LightboxProps {
  readonly pictures: readonly Picture[]
  readonly at: number
  readonly onClose: () => void
}

/** Pictures over everything; arrow keys show the next and the previous one. */
function Lightbox({ pictures, at, onClose }: LightboxProps) {
  const [index, setIndex] = useState(at)
  const picture = pictures[index]
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isFinishing(event)) return
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
      event.preventDefault()
      event.stopPropagation()
      const by = event.key === 'ArrowLeft' ? -1 : 1
      setIndex((now) => Math.max(0, Math.min(pictures.length - 1, now + by)))
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [pictures.length])
  if (!picture) return null
  return (
    <Dialog title={picture.name} size="full" isBare class="lightbox" onClose={onClose}>
      <div class="row lightbox-head">
        <span class="grow ellipsis">{picture.name}</span>
        {pictures.length > 1 && (
          <span class="lightbox-count">
            {t('{n} of {count}', { n: index + 1, count: pictures.length })}
          </span>
        )}
        <a
          class="icon-button"
          href={picture.url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t('Open in a new tab')}
          title={t('Open in a new tab')}
        >
          <Icon node={elsewhereIcon} />
        </a>
        <a
          class="icon-button"
          href={picture.url}
          download
          aria-label={t('Download')}
          title={t('Download')}
        >
          <Icon node={Download} />
        </a>
        <IconButton label={t('Close')} icon={X} onClick={onClose} />
      </div>
      <div class="center lightbox-stage">
        {pictures.length > 1 && (
          <IconButton
            class="lightbox-previous"
            label={t('Previous picture')}
            icon={previousIcon}
            size={28}
            disabled={index === 0}
            onClick={() => setIndex(index - 1)}
          />
        )}
        <img
          key={picture.url}
          class="lightbox-picture"
          src={picture.url}
          alt={picture.name}
          width={picture.width}
          height={picture.height}
        />
        {pictures.length > 1 && (
          <IconButton
            class="lightbox-next"
            label={t('Next picture')}
            icon={onIcon}
            size={28}
            disabled={index === pictures.length - 1}
            onClick={() => setIndex(index + 1)}
          />
        )}
      </div>
    </Dialog>
  )
}
