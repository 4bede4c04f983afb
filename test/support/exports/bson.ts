/** Documents as `mongodump` writes them: one after the other. */
export function bsonOf(...documents: object[]): Buffer {
  return Buffer.concat(documents.map((each) => document(Object.entries(each))))
}

/** A type of BSON that JavaScript has no value for, with its bytes. */
export class RawBson {
  readonly type: number
  readonly bytes: Buffer

  constructor(type: number, bytes: Buffer) {
    this.type = type
    this.bytes = bytes
  }
}

function document(members: readonly (readonly [string, unknown])[]): Buffer {
  const body = Buffer.concat(
    members.map(([name, value]) => {
      const [type, bytes] = element(value)
      return Buffer.concat([Buffer.from([type]), Buffer.from(`${name}\0`), bytes])
    }),
  )
  const length = Buffer.alloc(4)
  length.writeInt32LE(body.length + 5)
  return Buffer.concat([length, body, Buffer.from([0])])
}

function element(value: unknown): [type: number, bytes: Buffer] {
  if (value instanceof RawBson) return [value.type, value.bytes]
  if (value === null) return [0x0a, Buffer.alloc(0)]
  if (typeof value === 'boolean') return [0x08, Buffer.from([Number(value)])]
  if (typeof value === 'string') {
    const text = Buffer.from(`${value}\0`)
    return [0x02, Buffer.concat([int32(text.length), text])]
  }
  if (typeof value === 'number') {
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) return [0x10, int32(value)]
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(value)
    return [0x01, bytes]
  }
  if (typeof value === 'bigint') return [0x12, int64(value)]
  if (value instanceof Date) return [0x09, int64(BigInt(value.getTime()))]
  if (value instanceof Uint8Array) {
    return [0x05, Buffer.concat([int32(value.length), Buffer.from([0]), value])]
  }
  if (Array.isArray(value)) return [0x04, document(value.map((each, i) => [String(i), each]))]
  return [0x03, document(Object.entries(value as object))]
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  return bytes
}

/** The collections of a dump as one archive, as `mongodump --archive` writes it. @param share documents in a row */
export function mongoArchiveOf(
  collections: Readonly<Record<string, readonly Uint8Array[]>>,
  share = 2,
): Buffer {
  const end = Buffer.alloc(4, 0xff)
  const named = Object.entries(collections).map(([path, documents]) => {
    const [db = '', collection = ''] = path.split('/')
    return { db, collection, documents }
  })
  const longest = Math.max(0, ...named.map(({ documents }) => documents.length))
  const segments: Uint8Array[] = []
  const add = (
    names: { db: string; collection: string },
    some: readonly Uint8Array[],
    EOF: boolean,
  ) => segments.push(bsonOf({ ...names, EOF, CRC: 0n }), ...some, end)
  for (let at = 0; at <= longest; at += share) {
    for (const { collection, db, documents } of named) {
      const some = documents.slice(at, at + share)
      if (some.length > 0) add({ db, collection }, some, false)
      if (at <= documents.length && at + share > documents.length) add({ db, collection }, [], true)
    }
  }
  const metadata = named.map(({ collection, db }) =>
    bsonOf({ db, collection, metadata: '{"options":{}}', size: 0 }),
  )
  const header = bsonOf({ concurrent_collections: 4, version: '0.1', server_version: '7.0.1' })
  return Buffer.concat([
    Buffer.from([0x6d, 0xe2, 0x99, 0x81]),
    header,
    ...metadata,
    end,
    ...segments,
  ])
}
