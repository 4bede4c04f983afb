/**
 * The parts of a body as they arrive. It ends without an error when the connection is lost, so that
 * the data up to there is kept; the client then asks for the offset.
 */
export async function* receivedChunks(body: ReadableStream<Uint8Array> | null) {
  if (!body) return
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
    if (done || !value) return
    yield value
  }
}
