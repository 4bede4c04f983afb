/** What an executable runs on, in the words of Node. */
export interface Platform {
  readonly platform: string
  readonly arch: string
}

/** The kinds of processors in the headers of executables. @source ELF e_machine, Mach-O, PE/COFF */
const machines: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  linux: { x64: 62, arm64: 183 },
  darwin: { x64: 0x1000007, arm64: 0x100000c },
  win32: { x64: 0x8664, arm64: 0xaa64 },
}

/** Whether the header of an executable says that it is for a platform. */
export function isExecutableFor({ platform, arch }: Platform, program: Uint8Array): boolean {
  const machine = machines[platform]?.[arch]
  return (
    machine !== undefined &&
    machineOf(platform, Buffer.from(program.buffer, program.byteOffset, program.byteLength)) ===
      machine
  )
}

function machineOf(platform: string, bytes: Buffer): number | undefined {
  if (bytes.length < 64) return undefined
  const magic = bytes.readUInt32BE(0)
  if (platform === 'linux') return magic === 0x7f454c46 ? bytes.readUInt16LE(18) : undefined
  if (platform === 'darwin') return magic === 0xcffaedfe ? bytes.readUInt32LE(4) : undefined
  const header = bytes.readUInt32LE(0x3c)
  const isProgram =
    bytes.toString('latin1', 0, 2) === 'MZ' &&
    header + 6 <= bytes.length &&
    bytes.readUInt32BE(header) === 0x50450000
  return isProgram ? bytes.readUInt16LE(header + 4) : undefined
}
