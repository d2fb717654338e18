/** Inflates the body of a request as it arrives, so that whoever reads it can stop at a limit. */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { refusal, ServiceError } from '../../../core/errors.ts'

export interface Inflation {
  source: Readable
  /** Ends inflating. */
  stop(): void
}

/**
 * @param maxBytes of the compressed body as well, which may inflate to nothing
 * @param fail called with a ServiceError `tooLarge` or `invalid`
 */
export function inflate(message: IncomingMessage, maxBytes: number, fail: (error: Error) => void): Inflation {
  const gunzip = createGunzip()
  let received = 0
  const count = (chunk: Buffer): void => {
    received += chunk.length
    if (received > maxBytes) fail(new ServiceError('tooLarge'))
  }
  gunzip.on('error', (cause) => fail(refusal('bodyNotGzip', {}, { cause })))
  message.on('data', count).pipe(gunzip)
  return {
    source: gunzip,
    stop: () => {
      message.off('data', count).unpipe(gunzip)
      gunzip.destroy()
    },
  }
}
