interface Size {
  readonly width: number
  readonly height: number
}

const box: Size = { width: 420, height: 280 }

/** The size at which a picture of a message is shown: within the box, never larger than it is. */
export function fit(picture: Size): Size {
  const scale = Math.min(1, box.width / picture.width, box.height / picture.height)
  return {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  }
}
