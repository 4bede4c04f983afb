import { useEffect, useRef, useState } from 'preact/hooks'
import { openSurface } from '#client/commands/surfaces.tsx'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { cropOf, outputSize } from './crop.ts'

/** The target of cropping. */
export interface PictureShape {
  /** Width by height. */
  readonly aspect: number
  /** The longer side of the file at most, in pixels. */
  readonly longest: number
}

/** Lets the user crop a picture. Resolves with a PNG; undefined if they cancel. */
export function cropPicture(file: File, shape: PictureShape): Promise<File | undefined> {
  return new Promise((resolve) => {
    openSurface((close) => (
      <CropDialog
        file={file}
        shape={shape}
        onDone={(cropped) => {
          close()
          resolve(cropped)
        }}
      />
    ))
  })
}

interface CropDialogProps {
  readonly file: File
  readonly shape: PictureShape
  readonly onDone: (cropped: File | undefined) => void
}

/** The longer side of the canvas, in CSS pixels. */
const canvasSide = 288

function CropDialog({ file, shape, onDone }: CropDialogProps) {
  const { aspect, longest } = shape
  const canvas = useRef<HTMLCanvasElement>(null)
  const [picture, setPicture] = useState<ImageBitmap | 'broken' | undefined>()
  const [zoom, setZoom] = useState(1)
  const [center, setCenter] = useState({ x: 0, y: 0 })
  const dragged = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined)

  useEffect(() => {
    createImageBitmap(file).then(
      (loaded) => {
        setPicture(loaded)
        setCenter({ x: loaded.width / 2, y: loaded.height / 2 })
      },
      () => setPicture('broken'),
    )
  }, [file])

  const loaded = picture === 'broken' ? undefined : picture
  const crop = loaded && cropOf(loaded, aspect, zoom, center)
  const shown = {
    width: aspect >= 1 ? canvasSide : Math.round(canvasSide * aspect),
    height: aspect >= 1 ? Math.round(canvasSide / aspect) : canvasSide,
  }

  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || !loaded || !crop) return
    context.clearRect(0, 0, shown.width, shown.height)
    context.drawImage(
      loaded,
      crop.x,
      crop.y,
      crop.width,
      crop.height,
      0,
      0,
      shown.width,
      shown.height,
    )
  })

  /** Moves the part by pixels of the canvas. */
  function move(byX: number, byY: number): void {
    if (!crop) return
    const scale = crop.width / shown.width
    setCenter({
      x: crop.x + crop.width / 2 + byX * scale,
      y: crop.y + crop.height / 2 + byY * scale,
    })
  }

  async function finish(): Promise<void> {
    if (!loaded || !crop) return
    const size = outputSize(crop, longest)
    const output = new OffscreenCanvas(size.width, size.height)
    const context = output.getContext('2d')
    context?.drawImage(
      loaded,
      crop.x,
      crop.y,
      crop.width,
      crop.height,
      0,
      0,
      size.width,
      size.height,
    )
    const blob = await output.convertToBlob({ type: 'image/png' })
    onDone(new File([blob], 'picture.png', { type: 'image/png' }))
  }

  return (
    <Dialog
      title={t('Crop the picture')}
      size="small"
      onClose={() => onDone(undefined)}
      footer={
        <>
          <Button onClick={() => onDone(undefined)}>{t('Cancel')}</Button>
          <Button kind="primary" disabled={!loaded} onClick={() => void finish()}>
            {t('Use this part')}
          </Button>
        </>
      }
    >
      {picture === 'broken' ? (
        <p class="field-problem" role="alert">
          {t('Your browser cannot read this picture.')}
        </p>
      ) : (
        <div class="crop">
          <canvas
            ref={canvas}
            class="crop-canvas"
            width={shown.width}
            height={shown.height}
            tabIndex={0}
            aria-label={t('Selected area. Use the arrow keys to move it.')}
            onPointerDown={(event) => {
              dragged.current = { x: event.clientX, y: event.clientY }
              event.currentTarget.setPointerCapture(event.pointerId)
            }}
            onPointerMove={(event) => {
              const from = dragged.current
              if (!from) return
              dragged.current = { x: event.clientX, y: event.clientY }
              move(from.x - event.clientX, from.y - event.clientY)
            }}
            onPointerUp={() => {
              dragged.current = undefined
            }}
            onKeyDown={(event) => {
              const steps: Readonly<Record<string, readonly [number, number]>> = {
                ArrowLeft: [-8, 0],
                ArrowRight: [8, 0],
                ArrowUp: [0, -8],
                ArrowDown: [0, 8],
              }
              const step = steps[event.key]
              if (!step) return
              event.preventDefault()
              move(...step)
            }}
          />
          <label class="field crop-zoom">
            <span class="field-label">{t('Zoom')}</span>
            <input
              type="range"
              min="1"
              max="6"
              step="0.05"
              value={zoom}
              onInput={(event) => setZoom(Number(event.currentTarget.value))}
            />
          </label>
        </div>
      )}
    </Dialog>
  )
}
