import { useEffect, useRef, useState } from 'preact/hooks'
import { openSurface } from '#client/commands/surfaces.tsx'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { isFinishing } from '#client/ui/finishing.ts'
import { t } from '#client/ui/t.ts'
import { type Crop, cropOf, outputSize } from './crop.ts'

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
  const [picture, setPicture] = useState<ImageBitmap | 'broken' | undefined>()
  const [zoom, setZoom] = useState(1)
  const [center, setCenter] = useState({ x: 0, y: 0 })

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
    const blob = await cropToPng(loaded, crop, longest)
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
        <div class="stack loose crop">
          <CropCanvas picture={loaded} crop={crop} shown={shown} onMove={move} />
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

interface CropCanvasProps {
  readonly picture: ImageBitmap | undefined
  /** The part of the picture that is shown. */
  readonly crop: Crop | undefined
  /** The size of the canvas, in CSS pixels. */
  readonly shown: { readonly width: number; readonly height: number }
  /** Moves the part by pixels of the canvas. */
  readonly onMove: (byX: number, byY: number) => void
}

/** The part of a picture, which is moved by the pointer and by keys. */
function CropCanvas({ picture, crop, shown, onMove }: CropCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const dragged = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || !picture || !crop) return
    context.clearRect(0, 0, shown.width, shown.height)
    context.drawImage(
      picture,
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

  return (
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
        onMove(from.x - event.clientX, from.y - event.clientY)
      }}
      onPointerUp={() => {
        dragged.current = undefined
      }}
      onKeyDown={(event) => {
        const step = isFinishing(event) ? undefined : steps[event.key]
        if (!step) return
        event.preventDefault()
        onMove(...step)
      }}
    />
  )
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-8, 0],
  ArrowRight: [8, 0],
  ArrowUp: [0, -8],
  ArrowDown: [0, 8],
}

async function cropToPng(picture: ImageBitmap, crop: Crop, longest: number): Promise<Blob> {
  const size = outputSize(crop, longest)
  const output = new OffscreenCanvas(size.width, size.height)
  const context = output.getContext('2d')
  context?.drawImage(
    picture,
    crop.x,
    crop.y,
    crop.width,
    crop.height,
    0,
    0,
    size.width,
    size.height,
  )
  return await output.convertToBlob({ type: 'image/png' })
}
