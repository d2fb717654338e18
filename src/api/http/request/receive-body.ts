/** Receives the body of a request, up to a limit and within the memory of incomplete bodies. */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { refusal, ServiceError } from '../../../core/errors.ts'
import type { PartialBody } from '../../../core/limits/body-memory.ts'
import { continueBody } from '../connection/expectation.ts'
import { type Inflation, inflate } from './inflate.ts'

export interface Reception {
  /** The limit of the body as it is sent, and of the inflated one. */
  maxBytes: number
  isCompressed: boolean
  /** Called when a body does not arrive at once. */
  begin(cut: () => void): PartialBody
}

const retryAfterSeconds = 1
const noBytes: Buffer = Buffer.alloc(0)

/** @param done called with a ServiceError `tooLarge`, `invalid` or `overloaded`, or with the bytes */
export function receiveBody(
  message: IncomingMessage,
  { maxBytes, isCompressed, begin }: Reception,
  done: (error: Error | null, body: Buffer) => void,
): void {
  const announced = Number(message.headers['content-length'] ?? Number.NaN)
  if (announced > maxBytes) {
    done(new ServiceError('tooLarge'), noBytes)
    return
  }
  continueBody(message)
  const inflation: Inflation | null = isCompressed ? inflate(message, maxBytes, (error) => end(error)) : null
  const source: Readable = inflation?.source ?? message
  const expected = inflation === null ? announced : Number.NaN
  const maxCapacity = expected || maxBytes
  let buffer = noBytes
  let length = 0
  let partial: PartialBody | null = null
  const end = (error: Error | null): void => {
    source.off('data', take).off('end', finish)
    message.off('error', fail)
    inflation?.stop()
    partial?.release()
    done(error, buffer.subarray(0, length))
  }
  const take = (chunk: Buffer): void => {
    if (length + chunk.length > maxBytes) {
      end(new ServiceError('tooLarge'))
      return
    }
    buffer = append(buffer, length, chunk, maxCapacity)
    length += chunk.length
    if (length === expected) return
    partial ??= begin(() => end(tooManyBodies()))
    partial.hold(buffer.length)
  }
  const finish = (): void => {
    const isWhole = Number.isNaN(expected) || length === expected
    end(isWhole ? null : refusal('otherLength'))
  }
  const fail = (cause: Error): void => end(refusal('bodyIncomplete', {}, { cause }))
  source.on('data', take).on('end', finish)
  message.on('error', fail)
}

/** Appends to a buffer that doubles: one-byte chunks would take a hundred bytes each if they were kept. */
function append(buffer: Buffer, length: number, chunk: Buffer, maxCapacity: number): Buffer {
  if (length === 0) return chunk
  const needed = length + chunk.length
  let target = buffer
  if (needed > buffer.length) {
    target = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(2 * buffer.length, maxCapacity)))
    buffer.copy(target, 0, 0, length)
  }
  chunk.copy(target, length)
  return target
}

function tooManyBodies(): ServiceError {
  return refusal('tooManyBodies', {}, { retryAfterSeconds })
}
