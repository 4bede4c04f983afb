import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { certificateIn, shownCertificate } from './certificates.ts'
import { freePort } from './free-port.ts'

/** Why tests that need the ACME server are skipped; false: it is installed. */
export const noPebble = !existsSync('/usr/bin/pebble') && "Debian's package pebble is not installed"

/** An ACME server for tests, for which every domain is this machine. */
export interface Pebble {
  /** The URL of its directory. */
  readonly directory: string
  /** The file of the certificate that it shows itself. */
  readonly certFile: string
  /** Where it asks for proofs. */
  readonly httpPort: number
  stop(): void
}

/** @param folder for its files */
export async function startPebble(folder: string): Promise<Pebble> {
  const { certFile, keyFile } = certificateIn(folder, 'localhost')
  const [port, managementPort, httpPort, tlsPort, dnsPort, dnsManagementPort] = (await Promise.all(
    Array.from({ length: 6 }, freePort),
  )) as [number, number, number, number, number, number]
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${managementPort}`,
      certificate: certFile,
      privateKey: keyFile,
      httpPort,
      tlsPort,
      ocspResponderURL: '',
      externalAccountBindingRequired: false,
    },
  }
  const file = join(folder, `pebble-${port}.json`)
  writeFileSync(file, JSON.stringify(config))
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '']
  const dns = spawn('pebble-challtestsrv', [
    ...['-dns01', `127.0.0.1:${dnsPort}`, '-management', `127.0.0.1:${dnsManagementPort}`],
    ...['-defaultIPv4', '127.0.0.1', '-defaultIPv6', '', ...off],
  ])
  const pebble = spawn('pebble', ['-config', file, '-dnsserver', `127.0.0.1:${dnsPort}`], {
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20' },
  })
  const started: readonly ChildProcess[] = [dns, pebble]
  await answered(port)
  return {
    directory: `https://localhost:${port}/dir`,
    certFile,
    httpPort,
    stop() {
      for (const child of started) child.kill()
    },
  }
}

/** Waits until someone listens. */
async function answered(port: number): Promise<void> {
  for (;;) {
    const isUp = await shownCertificate(port).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await new Promise((done) => setTimeout(done, 20))
  }
}
