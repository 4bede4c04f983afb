import { LightReply } from '#platform/http/light/reply.ts'
import type { App } from '#platform/http/mount.ts'
import { cardPicturePath } from '#platform/markdown/previews.ts'

/** Serves the picture of cards whose pages have none. */
export function mountCardPicture(app: App): void {
  app.get(cardPicturePath, () => {
    return new LightReply(new Uint8Array(globe), {
      headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' },
    })
  })
}

/** A globe of 48 by 48 pixels. */
const globe = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAQMAAABtzGvEAAAABlBMVEXk5uqAhpBKB8RxAAAAiElEQVR42mNgIBvI/wBT9f9AJOP//w0MDAzM938fYGBg4N859wMDAwOf5ZwCBgYGGcMeCwYGBovCPhkGBgb7////MDAwFCS28TEwMCQktrEBqQeJbewg6mAzEnXgYDMz0IL/////R1BQQVSVUO1Qw6BGQy2CWgt1BNRJUAdCnQt1PNQrMI+RBQDChz+dAiQDMAAAAABJRU5ErkJggg==',
  'base64',
)
