/** A name server on this machine with answers of the test (RFC 1035, section 4). */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

export interface Question {
  name: string
  type: RecordType
  /** How many queries of this name and type came before. */
  earlier: number
}

/** Addresses or texts, of the type asked for or not at all; `missing` for no such name, `silent` for no answer. */
export type Reply = string[] | 'missing' | 'silent'

export interface NameServer {
  /** `127.0.0.1:…` */
  address: string
  questions: Question[]
  close(): void
}

type RecordType = 'A' | 'AAAA' | 'TXT'

const types = { 1: 'A', 16: 'TXT', 28: 'AAAA' } as const

export async function startNameServer(
  reply: (question: Question) => Reply | Promise<Reply>,
  ttl = 0,
): Promise<NameServer> {
  const socket = createSocket('udp4')
  const questions: Question[] = []
  socket.on('message', async (message, from) => {
    const { name, end } = readName(message)
    const type = types[message.readUInt16BE(end) as 1 | 16 | 28]
    const earlier = questions.filter((other) => other.name === name && other.type === type).length
    const question = { name, type, earlier }
    questions.push(question)
    const said = await reply(question)
    if (said !== 'silent') socket.send(answerTo(message, end + 4, said, type, ttl), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, questions, close: () => socket.close() }
}

function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let place = 12
  for (let length = message.readUInt8(place); length > 0; length = message.readUInt8(place)) {
    labels.push(message.toString('latin1', place + 1, place + 1 + length))
    place += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: place + 1 }
}

function answerTo(query: Buffer, end: number, said: string[] | 'missing', type: RecordType, ttl: number) {
  const ofType = said === 'missing' ? [] : said.filter((text) => typeOf(text) === type)
  const header = Buffer.from(query.subarray(0, end))
  header.writeUInt16BE(said === 'missing' ? 0x8583 : 0x8580, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(ofType.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, ...ofType.map((text) => record(text, type, ttl))])
}

function typeOf(text: string): RecordType {
  if (!ipaddr.isValid(text)) return 'TXT'
  return text.includes(':') ? 'AAAA' : 'A'
}

/** Its name is a pointer to that of the question. A text has at most 255 bytes. */
function record(text: string, type: RecordType, ttl: number): Buffer {
  const data =
    type === 'TXT'
      ? Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)])
      : Buffer.from(ipaddr.parse(text).toByteArray())
  const code = Number(Object.entries(types).find(([, name]) => name === type)?.[0])
  const head = Buffer.from([0xc0, 12, 0, code, 0, 1, 0, 0, 0, 0, 0, data.length])
  head.writeUInt32BE(ttl, 6)
  return Buffer.concat([head, data])
}
