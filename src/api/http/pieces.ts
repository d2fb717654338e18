/** Long replies in pieces, each of which is asked for when the one before has left. */
import { Readable } from 'node:stream'

/** What a client takes of a reply is seen piece by piece. */
export const pieceBytes = 64 * 1024

export function inPieces(source: Iterable<Uint8Array> | AsyncIterable<string | Uint8Array>): Readable {
  return Readable.from(source, { highWaterMark: 1 })
}

export function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
}
