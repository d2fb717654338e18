/** What HTTP/1.1 says of the end of an answer: its length, or its chunks. Nothing else is read of it. */
export interface Answer {
  status: number
  body: Buffer
}

const line = '\r\n'
const headEnd = '\r\n\r\n'

/** @param received from the beginning of an answer @returns `null` until it is whole */
export function answerIn(received: Buffer): Answer | null {
  const end = received.indexOf(headEnd)
  if (end < 0) return null
  const head = received.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const text = received.subarray(end + headEnd.length)
  const body = /^transfer-encoding: chunked/im.test(head) ? chunksIn(text) : bodyIn(text, head)
  return body === null ? null : { status, body }
}

function bodyIn(text: Buffer, head: string): Buffer | null {
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  if (length === undefined) throw new Error(`An answer without its length: ${head}`)
  return text.length < Number(length) ? null : text
}

function chunksIn(text: Buffer): Buffer | null {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const sizeEnd = text.indexOf(line, at)
    if (sizeEnd < 0) return null
    const size = Number.parseInt(text.toString('latin1', at, sizeEnd), 16)
    const begin = sizeEnd + line.length
    at = begin + size + line.length
    if (text.length < at) return null
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(text.subarray(begin, begin + size))
  }
}
