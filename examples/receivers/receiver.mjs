import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET ?? ''
const port = Number(process.env.PORT ?? 8080)
const toleranceSeconds = 300
const maxBytes = 2 * 1024 * 1024
if (secret === '') throw new Error('Set WEBHOOK_SECRET')

// In production, store the ids in a table with a unique column, in the same transaction as the effects of the event.
const seen = new Set()

const server = createServer(async (request, response) => {
  const body = request.method === 'POST' ? await readBody(request) : null
  if (body === null || !isGenuine(request.headers, body)) return response.writeHead(400).end()
  const event = JSON.parse(body.toString('utf8'))
  if (!seen.has(event.id)) {
    seen.add(event.id)
    process.stdout.write(`${event.type} ${event.id}\n`)
  }
  response.writeHead(204).end()
})

/** Tells whether the body, byte for byte as received, has a valid signature that is not too old. */
function isGenuine(headers, body) {
  const timestamp = String(headers['x-webhook-timestamp'])
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
  const expected = Buffer.from(`v1=${digest}`)
  // During a rotation the header has several signatures, separated by commas. One of them must match.
  return String(headers['x-webhook-signature'])
    .split(',')
    .map((part) => Buffer.from(part.trim()))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

async function readBody(request) {
  const chunks = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

server.listen(port, () => process.stdout.write(`listening on ${server.address().port}\n`))
