import { Readable } from 'node:stream'
import * as v from 'valibot'
import { findReadable } from '#features/files/attachments/access.ts'
import { receiving } from '#features/files/attachments/arrivals.actions.ts'
import { addUpload, examine, uploadJson } from '#features/files/uploads/actions.ts'
import { badRequest } from '#platform/errors.ts'
import { pathIn } from './links.ts'
import { link, quoted } from './messages.queries.ts'
import { about, adding, readOnly, replyLimit, text, tool } from './tool.actions.ts'

/** The largest picture in an answer, and the largest file to attach, in bytes. */
const mostBytes = 2 * 1024 * 1024

const textTypes =
  /^(text\/|application\/(json|xml|yaml|toml|javascript|x-sh|sql|x-ndjson)\b)|\+(json|xml)$/
const pictureTypes = /^image\/(png|jpeg|gif|webp)$/

export const readFile = tool({
  name: 'read_file',
  title: 'Read a file',
  description: `Reads a file that a message links to: text in parts of at most ${replyLimit / 2} characters, a picture of up to ${mostBytes / 1024 / 1024} MiB as such. Files of other kinds are only described, with type and size.`,
  hints: readOnly,
  input: {
    url: about(text(2000), 'Its link: /user_uploads/… or with the address of the server.'),
    offset: v.optional(
      about(
        v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 40)),
        'To go on reading text: next_offset of an answer, in bytes.',
      ),
      0,
    ),
  },
  output: {
    name: v.string(),
    content_type: v.string(),
    size: v.number(),
    content: v.optional(v.string()),
    next_offset: v.optional(v.number()),
    url: v.string(),
  },
  async run({ caller, origin }, { url, offset }) {
    const { server, store, user } = caller
    const path = pathIn(url, [origin, server.realmUrl]) ?? ''
    const pathId = /^\/user_uploads\/(?:download\/)?([^?#]+)/.exec(path)?.[1]
    const file = pathId === undefined ? undefined : findReadable(store, user, unescaped(pathId))
    if (!file) throw badRequest('There is no such file, or the person may not read it.')
    const { name, contentType, size, fileHash } = file
    const known = {
      name,
      content_type: contentType,
      size,
      url: `${origin}/user_uploads/${file.pathId}`,
    }
    const head = `File ${link(name, known.url)}, ${contentType}, ${size} bytes`
    if (pictureTypes.test(contentType) && size <= mostBytes) {
      const bytes = await server.files.read(fileHash)
      const data = Buffer.from(bytes ?? []).toString('base64')
      return { structured: known, markdown: head, image: { data, mimeType: contentType } }
    }
    if (!textTypes.test(contentType)) return { structured: known, markdown: head }
    const most = replyLimit / 2
    const bytes = (await server.files.readPart(fileHash, offset, most)) ?? new Uint8Array()
    const content = new TextDecoder().decode(bytes)
    const end = offset + bytes.length
    const next = end < size ? { next_offset: end } : {}
    const tail = end < size ? [`More: offset ${end}`] : []
    return {
      structured: { ...known, content, ...next },
      markdown: [head, quoted(content), ...tail].join('\n\n'),
    }
  },
})

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export const attachFile = tool({
  name: 'attach_file',
  title: 'Attach a file',
  description: `Uploads a file of up to ${mostBytes / 1024 / 1024} MiB and returns the Markdown that shows it. Nobody else can read it until that is sent: put it into the content of send_message or reply.`,
  hints: adding,
  input: {
    filename: about(v.pipe(text(200), v.minLength(1)), 'Its name with the extension: report.csv.'),
    content: about(v.pipe(v.string(), v.minLength(1), v.maxLength(2_900_000)), 'Text, or base64.'),
    is_base64: v.optional(about(v.boolean(), 'True: the content is base64.'), false),
  },
  output: { filename: v.string(), url: v.string(), markdown: v.string() },
  async run({ caller, origin }, { filename, content, is_base64: isBase64 }) {
    const { server, store } = caller
    const bytes = Buffer.from(content, isBase64 ? 'base64' : 'utf8')
    if (bytes.length > mostBytes) throw badRequest('The file is too large.')
    const uploaded = await receiving(caller, bytes.length, (arrival) =>
      server.files.putFor(Readable.from([bytes]), mostBytes, async (stored) => {
        arrival.count(stored.size)
        const arrived = await examine(server.files, { ...stored, name: filename })
        return uploadJson(
          await store.write((tx, user) => addUpload(tx, user, arrived, arrival.reserved)),
        )
      }),
    )
    const markdown = link(uploaded.filename, uploaded.url)
    const structured = { filename: uploaded.filename, url: origin + uploaded.url, markdown }
    return { structured, markdown: `Uploaded. To show it: ${markdown}` }
  },
})
